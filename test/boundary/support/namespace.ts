import { execFile, execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { promisify } from "node:util";
import type { Context } from "mocha";

const ip = (...words: readonly string[]): void => void execFileSync("ip", words, { stdio: "pipe" });

/** Another computer: a network namespace whose only neighbour is this one. */
export interface OtherComputer {
  /** The address of this computer, as the other one sees it. */
  readonly here: string;
  /** The program and its first arguments that start the command of its last ones there. */
  readonly through: readonly string[];
  /** Runs code of a module there, and gives what it writes. */
  run(code: string): Promise<string>;
  remove(): void;
}

/**
 * Makes one with iproute2; skips the test where that is missing (Debian: iproute2) or may not make namespaces
 * (only root may).
 */
export function openOtherComputer(test: Context): OtherComputer {
  const id = randomInt(1, 60_000);
  const [name, near, far] = [`pergola-${id}`, `pgn${id}`, `pgf${id}`];
  const network = `10.231.${randomInt(0, 256)}`;
  const remove = (): void => {
    for (const words of [
      ["link", "del", near],
      ["netns", "del", name],
    ])
      try {
        ip(...words);
      } catch {
        // It was never made.
      }
  };
  try {
    ip("netns", "add", name);
    ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name);
    ip("addr", "add", `${network}.1/24`, "dev", near);
    ip("link", "set", near, "up");
    ip("-n", name, "addr", "add", `${network}.2/24`, "dev", far);
    ip("-n", name, "link", "set", far, "up");
    ip("-n", name, "link", "set", "lo", "up");
  } catch {
    remove();
    test.skip();
  }
  return {
    here: `${network}.1`,
    through: ["ip", "netns", "exec", name],
    remove,
    run: async (code) => {
      const words = ["netns", "exec", name, process.execPath, "--input-type=module", "-e", code];
      const { stdout } = await promisify(execFile)("ip", words, { maxBuffer: 2 ** 26, env: {} });
      return stdout;
    },
  };
}
