//! A headless Chromium, driven by its DevTools protocol: messages of JSON that end with a zero byte, over two pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// An action that takes longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(60);

const FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1500,900",
    "--remote-debugging-pipe",
];

/// The names of browsers that understand the protocol.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser with one page.
pub struct Browser {
    process: Child,
    to_browser: ChildStdin,
    from_browser: Receiver<Value>,
    _profile: tempfile::TempDir,
    session: Option<String>,
    next: u64,
    /// The complaints of the page.
    pub complaints: Vec<String>,
}

impl Browser {
    /// Starts a browser; if there is none, the test that asks is skipped, or fails.
    pub fn start() -> Option<Browser> {
        let program = trifold_examples::tools::first_of(&PROGRAMS)?;
        let profile = tempfile::tempdir().expect("a directory");
        // The browser reads from descriptor 3 and writes to descriptor 4.
        let script = "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null";
        let mut process = Command::new("sh")
            .args(["-c", script, "sh", program])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let to_browser = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, from_browser) = channel();
        std::thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let Ok(value) = serde_json::from_slice(&message) else { continue };
                if sender.send(value).is_err() {
                    break;
                }
            }
        });
        let complaints = Vec::new();
        let mut browser =
            Browser { process, to_browser, from_browser, _profile: profile, session: None, next: 1, complaints };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_string);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        let number = self.next;
        self.next += 1;
        let mut message = json!({ "id": number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to_browser.write_all(&bytes).expect("the browser listens");
        loop {
            let message = self.receive(method);
            if message["id"] == json!(number) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self, waiting_for: &str) -> Value {
        let message = self.from_browser.recv_timeout(PATIENCE);
        let message = message.unwrap_or_else(|error| panic!("the browser says nothing about {waiting_for}: {error}"));
        let is_complaint = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => message["params"]["type"] != "log",
            Some("Log.entryAdded") => message["params"]["entry"]["level"] == "error",
            _ => false,
        };
        if is_complaint {
            self.complaints.push(message["params"].to_string());
        }
        message
    }

    /// Opens a page and says how long it took to load.
    pub fn open(&mut self, address: &str) -> Duration {
        let started = Instant::now();
        // A page of the same name would only move to another part of itself.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.wait_for_load();
        self.call("Page.navigate", json!({ "url": address }));
        self.wait_for_load();
        started.elapsed()
    }

    fn wait_for_load(&mut self) {
        while self.receive("loading")["method"] != "Page.loadEventFired" {}
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let result = self.call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// The value of an expression that is a text.
    pub fn text(&mut self, expression: &str) -> String {
        self.evaluate(&format!("String({expression})")).as_str().expect("a text").to_string()
    }

    /// The number of elements that a selector finds.
    pub fn count(&mut self, selector: &str) -> u64 {
        self.evaluate(&format!("document.querySelectorAll({selector:?}).length")).as_u64().expect("a number")
    }

    /// Clicks with the mouse into the middle of an element, which must be there to be hit.
    pub fn click(&mut self, selector: &str) {
        let place = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}});
              const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
              const hit = document.elementFromPoint(x, y); return {{x, y, hit: e.contains(hit)}}; }})()"
        ));
        assert_eq!(place["hit"], json!(true), "{selector} is covered by something");
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        // Dialogs and the focus know these keys by their numbers.
        let code = match key {
            "Escape" => 27,
            "Tab" => 9,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types a text.
    pub fn enter(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Lets the page believe that its reader prefers these colours, or prints.
    pub fn prefer(&mut self, scheme: &str, media: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
    }

    /// A picture of the window, in PNG, as text of base 64.
    pub fn screenshot(&mut self) -> String {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        shot["data"].as_str().expect("data").to_string()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
