import { spawn } from "node:child_process";
import { defined, type AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";

/** Bytes that npm may say. */
const mostOutput = 16 * 2 ** 20;

const always = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

interface NpmOptions {
  /** Packages whose install scripts run; by default none do. */
  readonly scripts?: readonly string[];
  /** Milliseconds that it may take. */
  readonly patience?: number;
  /** Where npm keeps what is there for all folders; by default as npm is set. */
  readonly prefix?: string;
}

/** The flag on the command line wins over every .npmrc. */
function scriptWords(scripts: readonly string[]): readonly string[] {
  if (scripts.length === 0) return ["--ignore-scripts"];
  return ["--no-ignore-scripts", `--allow-scripts=${scripts.join(",")}`];
}

/**
 * Runs npm in a folder and resolves with what it writes to stdout. Rejects with AppError when there is no
 * npm, and with what it says when it fails.
 */
export function runNpm(
  words: readonly string[],
  folder: string,
  { scripts = [], patience = 300_000, prefix }: NpmOptions = {},
): Promise<string> {
  const child = spawn("npm", [...words, ...scriptWords(scripts), ...always], {
    cwd: folder,
    env: { ...process.env, ...defined({ npm_config_prefix: prefix }) },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patience,
    shell: process.platform === "win32",
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      if (said[name].length > mostOutput) child.kill("SIGKILL");
    });
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => {
      const message = "Pergola fetches packages with npm, and there is none. Install Node.js with npm.";
      reject(fault("provider_error", message, { cause }));
    });
    child.once("close", (code) => {
      if (code === 0) return resolve(said.stdout);
      if (/^npm (error|ERR!) code (E404|ETARGET)$/m.test(said.stderr))
        return reject(unknown(words, said.stderr));
      const reason = reasonIn(said.stderr) || `it ended with ${code ?? "a signal"}`;
      reject(fault("invalid_value", `npm ${words[0]} failed: ${reason}`));
    });
  });
}

/** How npm names what a registry does not have. */
const missing = /'(\S+)'(?= could not be found| is not in this registry)|found for (\S+?)\.?$/m;

function unknown(words: readonly string[], said: string): AppError {
  const [, name, version] = missing.exec(said) ?? [];
  const found = (name ?? version)?.replace(/@\*$/, "") ?? "one of the packages";
  const isNeeded = words.some((word) => word.startsWith("file:"));
  const why = isNeeded ? ", which the plugin needs" : "";
  return fault("not_found", `npm's registry does not have ${found}${why}.`);
}

const reasonIn = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim())
    .filter((line) => line !== "" && !/complete log of this run|^npm warn/i.test(line))
    .slice(0, 6)
    .join(" ");
