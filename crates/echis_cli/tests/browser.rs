//! The coverage report in a real browser without a screen: it is loaded, nodes are clicked, and what lights up is looked
//! at. Without a browser the tests say so and pass.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const BROWSERS: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const PROGRAM: &str = "\
method m(n: Int, text: Int) returns (r: Int)
  requires n > 0
  requires text == 7 // </pre><script>document.title = 'broken'</script> & \"quotes\"
  ensures r > 1
{
  r := n + 1
}
";

/// What the page is asked, in the page itself: the answers are left in the title for `--dump-dom`.
const QUESTIONS: &str = "<script>
window.addEventListener('load', () => {
  const answers = [];
  const line = (n) => document.querySelector('.line[data-n=\"' + n + '\"]');
  const node = (n) => line(n).querySelector('.n');
  const lit = (name) => Array.from(document.querySelectorAll('.' + name)).map((e) => e.closest('.line').dataset.n).join('+');
  answers.push('classes=' + [2, 3, 4, 6].map((n) => node(n).classList[1]).join('+'));
  node(4).click();
  answers.push('needed=' + lit('needed'));
  node(2).click();
  answers.push('resting=' + lit('resting'));
  document.getElementById('toggle').click();
  answers.push('boxes=' + document.querySelectorAll('#graph .box').length);
  const search = document.getElementById('search');
  search.value = 'ensures';
  search.dispatchEvent(new Event('input'));
  answers.push('hits=' + lit('hit'));
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  answers.push('cleared=' + document.querySelectorAll('.needed, .resting, .chosen').length);
  const kind = document.querySelector('[data-filter=\"○\"]');
  kind.click();
  answers.push('kept=' + Array.from(document.querySelectorAll('.line:not(.dim)')).map((e) => e.dataset.n).join('+'));
  kind.click();
  answers.push('dimmed=' + document.querySelectorAll('.dim').length);
  answers.push('hover=' + node(3).title.split(':')[0]);
  answers.push('title=' + document.title.startsWith('Coverage of'));
  document.title = answers.join(' ');
});
</script>";

struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("echis-browser-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Folder(folder)
    }
    /// The report of a program.
    fn report(&self, program: &str, options: &[&str]) -> PathBuf {
        let (file, html) = (self.0.join("a.vpr"), self.0.join("a.html"));
        std::fs::write(&file, program).expect("the temporary folder can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
        let output = command.arg("cover").arg(&file).arg("--html").arg(&html).args(options).output();
        let output = output.expect("the binary runs");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        html
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn browser() -> Option<&'static str> {
    let runs = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = BROWSERS.iter().find(|name| runs(name)).copied();
    if found.is_none() {
        eprintln!("skipped: no browser was found, looked for {}", BROWSERS.join(", "));
    }
    found
}

fn load(browser: &str, folder: &Folder, page: &Path, options: &[&str]) -> String {
    let profile = format!("--user-data-dir={}", folder.0.join("profile").display());
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", &profile]);
    let output = command.args(options).arg(format!("file://{}", page.display())).output().expect("the browser runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn clicks_light_up_what_depends_on_what() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("clicks");
    let page = folder.report(PROGRAM, &[]);
    let html = std::fs::read_to_string(&page).expect("the report was written");
    assert!(
        !html.contains("http://")
            || html.matches("http://").count() == html.matches("http://www.w3.org/2000/svg").count()
    );
    std::fs::write(&page, html.replace("</body>", &format!("{QUESTIONS}</body>"))).expect("the report can be changed");
    let document = load(browser, &folder, &page, &["--dump-dom", "--virtual-time-budget=5000"]);
    let title = document.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or("");
    let wanted = [
        "classes=trusted+uncovered+covered+covered",
        "needed=2+6",
        "resting=4",
        "boxes=2",
        "hits=4",
        "cleared=0",
        "kept=3",
        "dimmed=0",
        "hover=not covered",
        "title=true",
    ];
    assert_eq!(title, wanted.join(" "));
    let picture = folder.0.join("page.png");
    load(browser, &folder, &page, &["--window-size=1200,700", &format!("--screenshot={}", picture.display())]);
    let picture = std::fs::read(&picture).expect("there is a screenshot");
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 5_000);
}

/// A page of 3,000 lines is loaded, clicked and searched in seconds, on a slow machine.
#[test]
fn large_programs_do_not_lag() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("large");
    let mut program = String::new();
    for index in 0..500 {
        program += &format!(
            "method m{index}(n: Int) returns (r: Int)\n  requires n > {index}\n  ensures r > {index}\n{{\n  r := n\n}}\n"
        );
    }
    let page = folder.report(&program, &["--no-confirm"]);
    let html = std::fs::read_to_string(&page).expect("the report was written");
    let timed = "<script>
window.addEventListener('load', () => {
  const start = performance.now();
  const nodes = document.querySelectorAll('.n');
  for (let i = 0; i < 100; i += 1) nodes[(i * 37) % nodes.length].click();
  const clicks = (performance.now() - start) / 100;
  const search = document.getElementById('search');
  const before = performance.now();
  search.value = 'm42';
  search.dispatchEvent(new Event('input'));
  document.title = [document.querySelectorAll('.line').length, Math.round(clicks), Math.round(performance.now() - before)].join(' ');
});
</script>";
    std::fs::write(&page, html.replace("</body>", &format!("{timed}</body>"))).expect("the report can be changed");
    let document = load(browser, &folder, &page, &["--dump-dom"]);
    let title = document.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or("");
    let numbers: Vec<u32> = title.split(' ').filter_map(|number| number.parse().ok()).collect();
    let [lines, click, search] = numbers[..] else { panic!("the page did not answer: {title}") };
    assert!(lines >= 3000 && click < 100 && search < 1000, "{lines} lines, {click} ms a click, {search} ms a search");
}
