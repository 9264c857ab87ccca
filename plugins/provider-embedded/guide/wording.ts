import type { Json } from "@pergola/sdk";
import type { Route } from "../router/catalogue.ts";
import type { Arguments } from "../router/decision.ts";
import type { Slot } from "../slots/slot.ts";

const spaced = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
const shown = (value: Json): string => (typeof value === "string" ? `“${value}”` : JSON.stringify(value));

/** `delete file (file path “a.txt”)` */
export function describeCall(route: Route, args: Arguments): string {
  const given = Object.entries(args).map(([name, value]) => `${spaced(name)} ${shown(value)}`);
  return `${spaced(route.name)}${given.length === 0 ? "" : ` (${given.join(", ")})`}`;
}

/** The question for an empty slot. */
export function askFor(route: Route, { kind, name, role }: Slot): string {
  const [verb = "use"] = spaced(route.name).split(" ");
  if (kind === "path" && role !== "target")
    return `Which ${route.nameKeys.has("directory") ? "folder" : "file"} should I ${verb}?`;
  return `I would ${spaced(route.name)}. What should the ${spaced(name)} be?`;
}

/** The question whether to do what was understood, in so many words. */
export const confirmCalls = (
  calls: readonly { readonly route: Route; readonly arguments: Arguments }[],
): string =>
  `Shall I do this: ${calls.map((call) => describeCall(call.route, call.arguments)).join("; then ")}? Answer yes or no.`;

export const tooLong =
  "I changed nothing: the message is too long for me to be certain what is meant. Please split it.";

const reasons: Readonly<Record<string, string>> = {
  negated: "you spoke of not doing it",
  conditional: "it depends on something that I cannot judge",
  question: "you asked about it rather than for it",
  ability: "you asked whether I can",
  quoted: "it looks like a quotation",
  reported: "it sounds like somebody else's words",
  postponed: "I cannot do things later, only now",
  withdrawn: "you took it back",
  limited: "there is an exception in it that I may get wrong",
  alternative: "you named a choice",
  leftover: "you named more than I know how to use for this",
  unclear: "I am not certain what exactly you want",
};

/** Why a change was not made, and how to ask for it. */
export function explainHeld(route: Route, objection: string): string {
  const say = route.examples[0]?.say;
  const how =
    say === undefined ? "" : ` To have me ${spaced(route.name)}, say it plainly, for example: “${say}”.`;
  return `I changed nothing: ${reasons[objection] ?? reasons.unclear ?? ""}.${how}`;
}
