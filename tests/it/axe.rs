//! The accessibility rules of axe-core, checked on the pages. They need its file `axe.min.js`, whose path `ROOKERY_AXE` has;
//! `.ci/run` fetches it. Without that variable the tests report that they are skipped.

use crate::browser::Browser;
use crate::web::browser_driver::screenshot;

/// Checks a page against the rules of WCAG 2.2 at level AA and axe-core's best practices; returns what breaks them, and how
/// many rules hold.
const RUN: &str = "const done = arguments[arguments.length - 1]; \
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']; \
    const told = ({ id, nodes }) => `${id}: ` + nodes.map((it) => `${it.html.slice(0, 200)} ${it.failureSummary}`).join('; '); \
    axe.run(document, { runOnly: { type: 'tag', values: tags } }).then( \
        ({ violations, passes }) => done({ broken: violations.map(told), held: passes.length }), \
        (error) => done({ broken: [String(error)], held: 0 }));";

/// A page on which fewer rules apply is no page that a person would see.
const FEWEST_RULES: u64 = 12;

pub(crate) struct Rules {
    source: String,
}

impl Rules {
    /// Returns the rules, if there is a file of axe-core.
    pub(crate) fn find() -> Option<Rules> {
        let Some(path) = std::env::var_os("ROOKERY_AXE") else {
            eprintln!("skipped: ROOKERY_AXE names no file of axe-core");
            return None;
        };
        let source = std::fs::read_to_string(&path);
        let source = source.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Some(Rules { source })
    }

    /// Returns what breaks a rule in what the browser shows, and how many rules hold.
    pub(crate) async fn check(&self, browser: &Browser) -> (Vec<String>, u64) {
        browser.client.execute(&self.source, Vec::new()).await.unwrap();
        let found = browser.client.execute_async(RUN, Vec::new()).await.unwrap();
        (serde_json::from_value(found["broken"].clone()).unwrap(), found["held"].as_u64().unwrap())
    }

    /// Checks what the browser shows, as wide as a laptop and as a phone.
    pub(crate) async fn hold(&self, browser: &Browser, page: &str) {
        self.hold_after(browser, page, async || {}).await;
    }

    /// Checks what the browser shows at each of these widths after something was opened there.
    pub(crate) async fn hold_after(&self, browser: &Browser, page: &str, open: impl AsyncFn()) {
        for (width, height) in [(1280, 900), (390, 844)] {
            resize(browser, (width, height)).await;
            open().await;
            let (broken, held) = self.check(browser).await;
            screenshot(browser, &format!("axe-{}-{width}", page.replace(' ', "-"))).await;
            assert_eq!(broken, Vec::<String>::new(), "{page} at {width}");
            assert!(held >= FEWEST_RULES, "{page}: {held}");
        }
        resize(browser, (1280, 900)).await;
    }
}

/// Resizes the window, from whichever frame is checked in it.
async fn resize(browser: &Browser, (width, height): (u32, u32)) {
    leave_frames(browser).await;
    browser.client.set_window_size(width, height).await.unwrap();
    browser.wait_until(&format!("innerWidth === {width}")).await;
}

/// Goes back to the window's own page, also from a frame that is gone.
pub(crate) async fn leave_frames(browser: &Browser) {
    let window = browser.client.window().await.unwrap();
    browser.client.switch_to_window(window).await.unwrap();
}
