import { expect } from "chai";
import { readable, takesStyles, visible } from "../../../core/cli/visible.ts";

/** What a terminal would act on, or a reader would not see. */
const tricks: Readonly<Record<string, string>> = {
  "clearing the screen": "\u001b[2J",
  "a title, unterminated": "\u001b]0;title",
  "a title with C1 signs": "\u009d0;title\u009c",
  "a device string": "\u001bPq\u001b\\",
  "an application command": "\u001b_x\u001b\\",
  "a bell": "\u0007",
  "a backspace": "safe\b\b\b\bevil",
  "a carriage return": "evil\rsafe",
  "a null": "a\u0000b",
  "a delete": "a\u007fb",
  "a turned direction": "\u202egnp.exe",
  "an isolate": "\u2066a\u2069",
  "a zero-width space": "a\u200bb",
  "a byte order mark": "\ufeffa",
  "a soft hyphen": "a\u00adb",
  "tag characters": "a\u{e0061}\u{e007f}",
  "a line separator": "a\u2028b",
};

/* eslint-disable no-control-regex */
const dangerous =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;
/* eslint-enable no-control-regex */

describe("visible", () => {
  for (const [what, text] of Object.entries(tricks))
    it(`shows ${what} as signs`, () => {
      expect(dangerous.test(text)).to.equal(true);
      expect(visible(text)).to.not.match(dangerous);
      expect(readable(text)).to.not.match(dangerous);
    });

  it("leaves words, line ends and tabs as they are", () => {
    const text = "Ärger\t\n日本語 🙂";
    expect(visible(text)).to.equal(text);
  });

  it("styles nothing for a file, a terminal without abilities, or a person who wants none", () => {
    const terminal = { isTTY: true };
    expect(takesStyles(terminal, { TERM: "xterm" })).to.equal(true);
    expect(takesStyles({}, { TERM: "xterm" })).to.equal(false);
    expect(takesStyles(terminal, { TERM: "dumb" })).to.equal(false);
    expect(takesStyles(terminal, { TERM: "xterm", NO_COLOR: "1" })).to.equal(false);
  });

  it("leaves joiners to a reader, and shows them to who decides", () => {
    expect(readable("👩‍🚀 می‌خواهم")).to.equal("👩‍🚀 می‌خواهم");
    expect(visible("a\u200db")).to.equal("a\\u{200d}b");
  });
});
