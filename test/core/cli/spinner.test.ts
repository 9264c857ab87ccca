import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect } from "chai";
import stringWidth from "fast-string-width";
import { Spinner } from "../../../core/cli/text/spinner.ts";

describe("the line that says what goes on", () => {
  const stderr = Object.getOwnPropertyDescriptor(process, "stderr")!;
  let terminal: PassThrough & { columns?: number };
  beforeEach(() => {
    terminal = Object.assign(new PassThrough({ encoding: "utf8" }), { columns: 30 });
    Object.defineProperty(process, "stderr", { ...stderr, get: () => terminal });
  });
  afterEach(() => Object.defineProperty(process, "stderr", stderr));

  for (const label of ["a".repeat(100), "日本語".repeat(30), "👩‍👩‍👧".repeat(20), "é".repeat(50)])
    it(`stays one line of the window with ${label.slice(0, 3)}…`, async () => {
      const spinner = new Spinner();
      spinner.show(label);
      const [drawn] = (await once(terminal, "data")) as [string];
      spinner.hide();
      // eslint-disable-next-line no-control-regex
      const text = drawn.replaceAll(/\u001b\[[\d;]*[A-Za-z]|\r/g, "");
      expect(stringWidth(text)).to.be.within(5, 29);
    });
});
