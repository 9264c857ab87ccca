import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pathOf } from "../link/index.ts";
import { Fold, From, Icon, type IconName, Texts } from "../parts/index.ts";
import { callStates, isOpen, nameOfCall, type Part, thread, type ToolState } from "../state/index.ts";
import { agentOf, clockTime, counted, duration, joined, visible } from "../text/format.ts";
import { ChangesLine } from "./changes.tsx";

const icons: Record<string, IconName> = { success: "check", error: "alert", userInputRequired: "alert" };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function partsOf(result: unknown): Readonly<Record<string, unknown>> {
  if (typeof result !== "object" || result === null) return { Result: result };
  const { error = "", message, content, data } = result as Readonly<Record<string, unknown>>;
  const shown = typeof data === "string" ? parsed(data) : (data ?? "");
  return { Error: error ?? "", Result: message, Content: content, Data: shown };
}

/** A long result from a position on; what follows it is read once somebody wants to see that. */
const LongResult = ({ resultId, offset = 0 }: Readonly<{ resultId: string; offset?: number }>) => (
  <Fold name={offset === 0 ? "The whole result" : "More"}>
    <From<Piece> path={pathOf(["api", "tool_result"], { resultId, offset, length: 8192 })}>
      {({ content, nextOffset }) => [
        <pre tabIndex={0}>{visible(content)}</pre>,
        nextOffset !== null && <LongResult resultId={resultId} offset={nextOffset} />,
      ]}
    </From>
  </Fold>
);

type Piece = Readonly<{ content: string; nextOffset: number | null }>;

function Details({ state }: { readonly state: ToolState }) {
  const { id, arguments: given = "", result = "", resultId } = state;
  const hasEnded = !isOpen(state);
  useEffect(() => {
    if (!hasEnded) return;
    if (given === "") void thread.peek().readCalls();
    if (thread.peek().live.peek() !== undefined) void thread.peek().readChanges();
  }, [hasEnded]);
  return (
    <div class="tool-body">
      <Texts of={{ Arguments: parsed(given), ...partsOf(parsed(result)) }} />
      {resultId && <LongResult resultId={resultId} />}
      {!hasEnded && <p class="faint">What it was given and what it gave is here once it is done.</p>}
      <ChangesLine id={id} />
    </div>
  );
}

const headOf = (icon: IconName, name: string, state: string) => [
  <Icon name={icon} />,
  <span class="tool-name">{name}</span>,
  <span class="tool-state">{state}</span>,
];

/** One call of a tool: a line until it is opened; a failed one opens itself. */
export function ToolCard({ call: state }: { readonly call: Signal<ToolState> }) {
  const { status, milliseconds, parent, allowedUntil: until, result } = state.value;
  const end = until ? ` until ${clockTime(until)}` : "";
  const allowed = until !== undefined && `allowed by you${end}`;
  const took = milliseconds !== undefined && duration(milliseconds);
  const facts = joined(agentOf(parent), callStates[status], allowed, took);
  const head = headOf(icons[status] ?? "tool", nameOfCall(state.value), facts);
  return (
    <Fold look={`tool ${status}`} isOpen={status === "error" && Boolean(result)} name={head}>
      <Details state={state.value} />
    </Fold>
  );
}

export type ToolPart = Extract<Part, { kind: "tool" }>;

/** Calls in a row: one by one while they run, folded into a line when they are many and done. */
export function ToolRow({ parts }: { readonly parts: readonly ToolPart[] }) {
  const states = parts.map(({ call: { value } }) => value);
  const cards = parts.map((part) => <ToolCard key={part.id} call={part.call} />);
  if (parts.length < 4 || states.some(({ status }) => status !== "success")) return cards;
  const total = states.reduce((sum, { milliseconds = 0 }) => sum + milliseconds, 0);
  const name = headOf("check", counted(parts.length, "step"), duration(total));
  return <Fold look="tool steps" name={name} children={<div class="steps-body">{cards}</div>} />;
}
