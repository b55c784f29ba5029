//! The custom ids of the selects and buttons of settings panels.

/// Separates the fields of an id.
const FIELD: char = ':';

/// The panel of a settings message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsPanel {
    /// A person's own settings.
    Personal,
    /// A server's settings, for its managers.
    Server,
}

impl SettingsPanel {
    const WORDS: [(SettingsPanel, &'static str); 2] =
        [(SettingsPanel::Personal, "set"), (SettingsPanel::Server, "cfg")];

    fn word(self) -> &'static str {
        SettingsPanel::WORDS.iter().find(|(panel, _)| *panel == self).map_or("", |(_, word)| word)
    }
}

/// A setting to change, or a page to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingId {
    /// The panel it belongs to.
    pub panel: SettingsPanel,
    /// The key of the setting or page.
    pub what: String,
    /// The value that a button sets. For a select it is `None`: the chosen value comes with the press.
    pub value: Option<String>,
}

impl SettingId {
    /// Creates the id of a select, or of a button without a value.
    pub fn new(panel: SettingsPanel, what: &str) -> SettingId {
        SettingId { panel, what: what.to_owned(), value: None }
    }

    /// Creates the id of a button that sets a value.
    pub fn with(panel: SettingsPanel, what: &str, value: &str) -> SettingId {
        SettingId { value: Some(value.to_owned()), ..SettingId::new(panel, what) }
    }

    /// Returns the custom id: `set:theme`, `cfg:rated:on`.
    pub fn id(&self) -> String {
        let (panel, what) = (self.panel.word(), &self.what);
        match &self.value {
            Some(value) => format!("{panel}{FIELD}{what}{FIELD}{value}"),
            None => format!("{panel}{FIELD}{what}"),
        }
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<SettingId> {
        let mut fields = id.splitn(3, FIELD);
        let word = fields.next()?;
        let panel = SettingsPanel::WORDS.iter().find(|(_, known)| *known == word).map(|(panel, _)| *panel)?;
        let what = fields.next()?.to_owned();
        Some(SettingId { panel, what, value: fields.next().map(str::to_owned) })
    }
}
