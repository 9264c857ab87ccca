import { SelectPrompt, isCancel } from "@clack/core";
import { endOfInput } from "./end-of-input.ts";
import { styled } from "./visible.ts";

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  /** The letter that goes to it. */
  readonly key: string;
}

interface Shown<T extends string> {
  readonly message: string;
  readonly options: readonly Choice<T>[];
}

const lineOf = ({ key, label }: Choice<string>, isChosen: boolean): string =>
  isChosen ? `${styled("green", "●")} ${styled("bold", key)}  ${label}` : styled("dim", `○ ${key}  ${label}`);

function frame<T extends string>({ message, options }: Shown<T>, cursor: number, isOpen: boolean): string {
  const title = `${styled("cyan", "◆")} ${message}`;
  if (!isOpen) return `${title} ${styled("dim", options[cursor]?.label ?? "")}`;
  const keys = options.map(({ key }) => key).join(", ");
  const lines = options.map((option, index) => `  ${lineOf(option, index === cursor)}`);
  return [title, ...lines, styled("dim", `  ${keys} or the arrows choose; Enter confirms.`)].join("\n");
}

/**
 * Lets the person choose by a letter or the arrows; Enter confirms, so that a stray key decides nothing. The
 * first option is the default. Undefined at Ctrl-C and Ctrl-D, and once the input ends or the signal aborts.
 */
export async function choose<T extends string>(
  message: string,
  options: readonly Choice<T>[],
  signal: AbortSignal,
): Promise<T | undefined> {
  const shown = { message, options };
  const prompt = new SelectPrompt<Choice<T>>({
    options: [...options],
    signal: AbortSignal.any([signal, endOfInput()]),
    render() {
      return frame(shown, this.cursor, this.state === "initial" || this.state === "active");
    },
  });
  prompt.on("key", (letter) => {
    const index = options.findIndex(({ key }) => key === letter?.toLowerCase());
    const option = options[index];
    if (option === undefined) return;
    prompt.cursor = index;
    prompt.value = option.value;
  });
  const answer = await prompt.prompt();
  if (answer === undefined || isCancel(answer)) return undefined;
  return answer;
}
