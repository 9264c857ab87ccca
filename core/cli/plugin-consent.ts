import { createHash } from "node:crypto";
import type { Json } from "@pergola/sdk";
import { canonicalJson, type Permissions } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { differences, type Asked, type ToolEffects } from "../plugins/plugin-grants.ts";
import { confirmed } from "./ask-person.ts";
import { printLines, printNote } from "./print-result.ts";
import { styled, visible } from "./visible.ts";

/** Everything that the person decides on. */
export interface Consent {
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly source: string;
  readonly integrity: string | null;
  readonly publisher: string | null;
  /** The digest of all files; null = linked, not pinned. */
  readonly files: string | null;
  readonly fileCount: number | null;
  readonly dependencies: readonly { readonly name: string; readonly version: string }[];
  readonly scripts: readonly string[];
  readonly permissions: Permissions;
  /** null = not known, because it was not loaded. */
  readonly tools: ToolEffects | null;
  readonly trusted: boolean;
  /** What walls it in; null = nothing does. */
  readonly sandbox: string | null;
  /** Why it would be left out as things stand. */
  readonly fault: string | null;
}

export interface ConsentOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  /** The digest of what is agreed to, as `--dry-run` shows it. */
  readonly permissions?: string;
  readonly json?: boolean;
}

/** The digest of what is agreed to: the bytes, and what they may do. */
export function consentDigest({ id, version, files, permissions, tools, trusted }: Consent): string {
  const text = JSON.stringify({ id, version, files, permissions, tools, trusted });
  return createHash("sha256")
    .update(canonicalJson(JSON.parse(text) as Json))
    .digest("hex")
    .slice(0, 16);
}

const dangers: readonly [RegExp, string][] = [
  [
    /^files any/,
    "It can read and change every file that you can, as the rules for paths and your approvals allow.",
  ],
  [/^programs any/, "It can start any program, and a program can do what you can."],
  [/^network any/, "It can send what it knows to any address."],
];

/** What it may reach, one phrase each. */
export function reachOf({ network, files = "none", processes, secrets }: Permissions): readonly string[] {
  const listed = (name: string, value: readonly string[] | "any" | undefined): readonly string[] => {
    if (value === undefined || value.length === 0) return [];
    return [`${name} ${value === "any" ? value : value.join(", ")}`];
  };
  return [
    ...listed("network", network),
    ...(files === "none" ? [] : [`files ${files}`]),
    ...listed("programs", processes),
    ...listed("secrets", secrets),
  ];
}

function refusals(permissions: Permissions): readonly string[] {
  const reach = reachOf(permissions);
  const all = {
    network: "use the network",
    files: "touch files",
    programs: "start programs",
    secrets: "read secrets",
  };
  return Object.entries(all).flatMap(([name, words]) =>
    reach.some((each) => each.startsWith(name)) ? [] : [words],
  );
}

const toolsText = (tools: ToolEffects | null): string => {
  if (tools === null) return "not known: it was not loaded";
  const families = Object.entries(tools).map(([name, operations]) => {
    const list = Object.entries(operations).map(
      ([operation, effects]) => `${operation}: ${effects.join(" or ")}`,
    );
    return `${name} (${list.join(", ")})`;
  });
  return families.join("; ") || "none";
};

function placeText({ trusted, sandbox }: Consent): string {
  if (trusted) return styled("red", "the host's process: it can do everything that Pergola and you can");
  if (sandbox === null) return styled("red", "a process of its own, NOT SANDBOXED");
  return `a process of its own, sandboxed (${sandbox})`;
}

/** The lines that the person reads before they decide. */
export function consentLines(consent: Consent): readonly string[] {
  const { dependencies, scripts, permissions, files } = consent;
  const row = (name: string, text: string): string => `  ${name.padEnd(11)}${visible(text)}`;
  const named = dependencies.map(({ name, version }) => `${name} ${version}`).join(", ");
  const reach = reachOf(permissions);
  return [
    visible(`${consent.id} ${consent.version}`),
    row("package", `${consent.package}, from ${consent.source}`),
    row("integrity", consent.integrity ?? "none"),
    row("publisher", consent.publisher ?? "not known"),
    row(
      "files",
      files === null
        ? "linked, not pinned: they may change at any time"
        : [consent.fileCount ?? [], `digest ${files.slice(0, 16)}`].flat().join(", "),
    ),
    row("packages", named || "needs no others"),
    row("scripts", scripts.length === 0 ? "none" : `not run: ${scripts.join(", ")}`),
    row("tools", toolsText(consent.tools)),
    row("may", reach.join("; ") || "nothing"),
    ...dangers
      .filter(([form]) => reach.some((each) => form.test(each)))
      .map(([, words]) => styled("red", `             ${words}`)),
    row("may not", refusals(permissions).join(", ") || "–"),
    `  ${"runs in".padEnd(11)}${placeText(consent)}`,
    ...(consent.fault === null ? [] : [styled("red", row("left out", consent.fault))]),
    row("consent", consentDigest(consent)),
  ];
}

/** Whether there is somebody to ask. */
const isTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/**
 * Shows what is asked for, and whether the person agrees. `before` is what they agreed to last: the same or
 * less needs only one yes, or `--yes`. Without a terminal, what is new needs `--yes --permissions <digest>`.
 * Throws AppError when nobody can answer.
 */
export async function isAgreed(
  consent: Consent,
  before: Asked | undefined,
  options: ConsentOptions,
): Promise<boolean> {
  const more = before === undefined ? [] : differences(before, consent);
  if (options.json !== true) printLines(consentLines(consent));
  for (const each of more) printNote(`It asks for more than before: ${each}`);
  if (options.dryRun === true) return false;
  const isSeen = isDigestOf(consent, options.permissions);
  const isNoMore = before !== undefined && more.length === 0;
  if (options.yes === true && (isSeen || isNoMore)) return true;
  if (!isTerminal()) throw fault("invalid_value", needsDigest(more));
  const message = more.length > 0 ? "Allow it all this?" : "Use it?";
  return confirmed(message);
}

/** Whether a digest was given. Throws AppError for that of something else. */
function isDigestOf(consent: Consent, given: string | undefined): boolean {
  const digest = consentDigest(consent);
  if (given === undefined || given === digest) return given === digest;
  const message = `--permissions ${given} is not what would be added: that is ${digest}. Look at it again.`;
  throw fault("invalid_value", message);
}

function needsDigest(more: readonly string[]): string {
  const why = more.length > 0 ? "It asks for more than you have approved. " : "";
  return (
    `${why}Nobody is at the terminal to decide this. Look at it with --dry-run, then repeat the command ` +
    "with --yes --permissions and the digest that stands behind consent."
  );
}
