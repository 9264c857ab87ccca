import { SelectPrompt, isCancel } from "@clack/core";
import { askUntil } from "./end-of-input.ts";
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
export const choose = async <T extends string>(
  message: string,
  options: readonly Choice<T>[],
  signal: AbortSignal,
): Promise<T | undefined> => askUntil(signal, (open) => chooseWhile({ message, options }, open));

async function chooseWhile<T extends string>(shown: Shown<T>, signal: AbortSignal): Promise<T | undefined> {
  const { options } = shown;
  const prompt = new SelectPrompt<Choice<T>>({
    options: [...options],
    signal,
    render() {
      // Who leaves has chosen nothing.
      const cursor = this.state === "cancel" ? -1 : this.cursor;
      return frame(shown, cursor, this.state === "initial" || this.state === "active");
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
