//! What the selects and buttons of settings panels carry.

/// Between the fields of an id.
const FIELD: char = ':';

/// Whose settings a panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsPanel {
    /// A person's own.
    Personal,
    /// A server's, for its managers.
    Server,
}

impl SettingsPanel {
    const WORDS: [(SettingsPanel, &'static str); 2] =
        [(SettingsPanel::Personal, "set"), (SettingsPanel::Server, "cfg")];

    fn word(self) -> &'static str {
        SettingsPanel::WORDS.iter().find(|(panel, _)| *panel == self).map_or("", |(_, word)| word)
    }
}

/// A setting that is to be changed or a page that is to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingId {
    /// The panel.
    pub panel: SettingsPanel,
    /// The setting or the page.
    pub what: String,
    /// The value, on a button; a select's comes with the press.
    pub value: Option<String>,
}

impl SettingId {
    /// A select, or a button without a value.
    pub fn new(panel: SettingsPanel, what: &str) -> SettingId {
        SettingId { panel, what: what.to_owned(), value: None }
    }

    /// A button that sets a value.
    pub fn with(panel: SettingsPanel, what: &str, value: &str) -> SettingId {
        SettingId { value: Some(value.to_owned()), ..SettingId::new(panel, what) }
    }

    /// The custom_id: `set:theme`, `cfg:rated:on`.
    pub fn id(&self) -> String {
        let (panel, what) = (self.panel.word(), &self.what);
        match &self.value {
            Some(value) => format!("{panel}{FIELD}{what}{FIELD}{value}"),
            None => format!("{panel}{FIELD}{what}"),
        }
    }

    /// Reads a custom_id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<SettingId> {
        let mut fields = id.splitn(3, FIELD);
        let word = fields.next()?;
        let panel = SettingsPanel::WORDS.iter().find(|(_, known)| *known == word).map(|(panel, _)| *panel)?;
        let what = fields.next()?.to_owned();
        Some(SettingId { panel, what, value: fields.next().map(str::to_owned) })
    }
}
