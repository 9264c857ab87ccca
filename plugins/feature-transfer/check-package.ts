import { AppError } from "@pergola/sdk";
import type { Fault } from "@pergola/sdk/host";
import { formatVersion, type Package } from "./package-form.ts";

const mostNamed = 5;

function refused(faults: readonly string[]): AppError {
  let named = faults.slice(0, mostNamed).join("; ");
  if (faults.length > mostNamed) named += `, and ${faults.length - mostNamed} more`;
  const message = `This is not a package that can be taken over: ${named}.`;
  return new AppError({ code: "invalid_value", message, details: { faults: faults.slice(0, 100) } });
}

/**
 * The package, if every part of it can be taken over. Throws `invalid_value` listing what is wrong; nothing
 * is changed.
 */
export function checkPackage(input: unknown, schemaFaults: (value: unknown) => readonly Fault[]): Package {
  const version = (input as Partial<Package> | null)?.formatVersion;
  if (typeof version === "string" && version.split(".")[0] !== formatVersion.split(".")[0])
    throw refused([`formatVersion is "${version}", and this service reads ${formatVersion}`]);
  const faults = schemaFaults(input).map(({ path, message }) => `${path || "the package"} ${message}`);
  if (faults.length > 0) throw refused(faults);
  const pack = input as Package;
  const odd = [...callFaults(pack), ...todoFaults(pack), ...numberFaults(pack)];
  if (odd.length > 0) throw refused(odd);
  return pack;
}

/**
 * Each answer has its call before it, each call one answer, and no two calls the same id. Calls of the last
 * answer may be open.
 */
function* callFaults({ conversation: { messages } }: Package): Iterable<string> {
  const open = new Map<string, number>();
  const known = new Set<string>();
  for (const [index, { role, toolCalls = [], toolCallId }] of messages.entries()) {
    const at = `conversation.messages[${index}]`;
    if (role === "tool" && !open.delete(toolCallId ?? ""))
      yield `${at} answers a call that is not open: "${toolCallId ?? ""}"`;
    for (const { id } of toolCalls) {
      if (known.has(id)) yield `${at} has a call with an id that is taken: "${id}"`;
      known.add(id);
      open.set(id, index);
    }
  }
  const last = messages.findLastIndex(({ toolCalls }) => toolCalls !== undefined);
  for (const [id, index] of open)
    if (index !== last) yield `conversation.messages[${index}] has a call without an answer: "${id}"`;
}

function* todoFaults({ todos = [] }: Package): Iterable<string> {
  const ids = new Set(todos.map(({ id }) => id));
  if (ids.size < todos.length) yield "todos has two items with the same id";
  for (const [index, { id, dependencies = [] }] of todos.entries())
    if (dependencies.some((other) => other === id || !ids.has(other)))
      yield `todos[${index}] depends on itself or on an item that is not there`;
}

/** Numbers of messages, where they are given, rise; what names them names what is there. */
function* numberFaults({ conversation: { messages }, archive = [] }: Package): Iterable<string> {
  const numbers = messages.map(({ seq }, index) => seq ?? index + 1);
  if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0)))
    yield "the numbers (seq) of the messages do not rise";
  const last = numbers.at(-1) ?? 0;
  for (const [index, record] of archive.entries())
    if (record.first > record.last || record.last > last)
      yield `archive[${index}] names messages that are not there`;
}
