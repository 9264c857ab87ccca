// Loaded into a service before anything else (`--import`): its wall clock is off by the milliseconds that stand in the
// file CLOCK_FILE; timers and `performance.now` go on as they are.
import { readFileSync } from "node:fs";

const RealDate = Date;
const file = process.env["CLOCK_FILE"] ?? "";

function offset() {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

const now = () => RealDate.now() + offset();

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
};
