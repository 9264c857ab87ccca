import type { Clock, PreferenceService, RunContext, Todo } from "@pergola/sdk";
import { blockLine, type MiniPrompt } from "@pergola/sdk/host";
import { localTime, type LocalTime } from "./local-time.ts";
import { todoState } from "./todo-state.ts";

type Scene = Pick<RunContext, "conversation" | "workingDirectory" | "iteration" | "maxIterations">;
type Instruction = Pick<MiniPrompt, "name" | "content">;

/** What stands in the block after the facts. */
interface Additions {
  readonly instructions?: readonly Instruction[] | undefined;
  readonly todos?: readonly Todo[] | undefined;
}

type Writer = (scene: Scene, additions?: Additions) => string;

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
 * whole of a minute.
 */
export function contextWriter(clock: Clock, preferences: () => Pick<PreferenceService, "get">): Writer {
  const timeAt = everyMinute();
  return (
    { conversation, workingDirectory, iteration, maxIterations },
    { instructions = [], todos = [] } = {},
  ) => {
    const user = (key: string): string => preferences().get<string>(`user.${key}`);
    const { date, zone } = timeAt(clock.now(), user("time_zone"));
    const { id, settings } = conversation;
    const topic = settings.useSharedData === true && settings.sharedTopicName;
    const facts: readonly (readonly [string, string])[] = [
      ["date", date],
      ["time zone", zone],
      ["user", user("name")],
      ["language", user("language")],
      ["place", user("location")],
      ["conversation", id],
      ["topic", topic || ""],
      ["working directory", workingDirectory],
      ["iteration", `${iteration} of ${maxIterations}`],
      ["to-dos", todoState(todos)],
    ];
    const lines = facts
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}: ${blockLine(value)}`);
    lines.push(...instructions.map(instruction));
    if (wantsTitle(conversation)) lines.push(`title: ${titleRequest}`);
    return ["<context>", ...lines, "</context>"].join("\n");
  };
}

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
