import type { OfferedTool, PreferenceService, RunContext, Todo } from "@pergola/sdk";
import { blockLine, type MiniPrompt } from "@pergola/sdk/host";
import { localTime, type LocalTime } from "./local-time.ts";
import { todoState } from "./todo-state.ts";

type Scene = Pick<RunContext, "conversation" | "workingDirectory" | "iteration" | "maxIterations">;
type Tool = Pick<OfferedTool, "callers">;
type Instruction = Pick<MiniPrompt, "name" | "content">;

/** What stands in the block after the facts. */
interface Additions {
  readonly instructions?: readonly Instruction[] | undefined;
  readonly todos?: readonly Todo[] | undefined;
  /** The tools that the model is offered. */
  readonly tools?: readonly Tool[];
}

/** `moment`: milliseconds since 1970. */
export type ContextWriter = (moment: number, scene: Scene, additions?: Additions) => string;

/** A caller with tools of its own alone knows where it works, and has a prompt with that. */
const isCallersOwn = (tools: readonly Tool[]): boolean =>
  tools.length > 0 && tools.every(({ callers }) => callers === true);

/** Text of the person's own, whole, that cannot end the block either. */
const instruction = ({ name, content }: Instruction): string =>
  `instruction (${blockLine(name)}): ${content.trim().replaceAll(/<(?=\s*\/?\s*context)/gi, "&lt;")}`;

const titleRequest =
  'none yet; put <!--session:{"title":"…"}--> with a title of 3 to 80 characters into your answer, ' +
  "it is not shown";

const wantsTitle = ({ title, titleSetBy }: RunContext["conversation"]): boolean =>
  title.startsWith("New Conversation") && titleSetBy !== "user";

/**
 * Writes the block of facts and mini prompts for the end of the newest user message: the same text for the
 * whole of a minute, or of a day for a caller with tools of its own, which makes a run of each model call.
 */
export function contextWriter(preferences: () => Pick<PreferenceService, "get">): ContextWriter {
  const timeAt = everyMinute();
  return (
    moment,
    { conversation, workingDirectory, iteration, maxIterations },
    { instructions = [], todos = [], tools = [] } = {},
  ) => {
    const user = (key: string): string => preferences().get<string>(`user.${key}`);
    const { date, zone } = timeAt(moment, user("time_zone"));
    const isOwn = isCallersOwn(tools);
    const { id, settings } = conversation;
    const topic = settings.useSharedData === true && settings.sharedTopicName;
    const facts: readonly (readonly [string, string])[] = [
      ["date", isOwn ? withoutTime(date) : date],
      ["time zone", zone],
      ["user", user("name")],
      ["language", user("language")],
      ["place", user("location")],
      ["conversation", isOwn ? "" : id],
      ["topic", topic || ""],
      ["working directory", isOwn ? "" : workingDirectory],
      ["iteration", `${iteration} of ${maxIterations}`],
      ["to-dos", todoState(todos)],
    ];
    const lines = facts
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}: ${blockLine(value)}`);
    lines.push(...instructions.map(instruction));
    if (!isOwn && wantsTitle(conversation)) lines.push(`title: ${titleRequest}`);
    return ["<context>", ...lines, "</context>"].join("\n");
  };
}

/** `2026-11-20, Friday`. */
const withoutTime = (date: string): string => date.replace(/ \d\d:\d\d,/, ",");

/** `localTime`, worked out once a minute. */
function everyMinute(): (moment: number, zone: string) => LocalTime {
  let key = "";
  let known: LocalTime = { date: "", zone: "" };
  return (moment, zone) => {
    const now = `${Math.floor(moment / 60_000)} ${zone}`;
    if (now !== key) known = localTime(moment, zone);
    key = now;
    return known;
  };
}
