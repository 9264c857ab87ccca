import { useState } from "preact/hooks";
import type * as html from "preact";
import { lost } from "../link/stream.ts";
import { say } from "./announce.ts";
import { useAct } from "./reading.tsx";

interface ButtonProps extends Omit<html.ButtonHTMLAttributes, "onClick" | "type" | "class"> {
  /** What it reads, where that is text alone. */
  readonly label?: string;
  /** Without it the button submits its form. */
  readonly press?: () => unknown;
  /** It does not need the service. */
  readonly isLocal?: boolean;
  /** Why it does nothing just now. */
  readonly why?: string;
  readonly look?: string;
}

/** What a control has that does nothing just now: it can be reached, and says why. Nothing where it acts. */
export function held(isLocal = false, why = "") {
  const title = !isLocal && lost.value ? "The service cannot be reached" : why;
  const onClick = (event: Event) => {
    event.preventDefault();
    say(title, true);
  };
  return title === "" ? undefined : { "aria-disabled": true, title, onClick };
}

/** A button that does what it says, or says why it does not; `look` is how it stands out. */
export function Button({ press, look, isLocal, why, label, children = label, ...rest }: ButtonProps) {
  const more = { onClick: () => void press?.(), ...rest, ...held(isLocal, why) };
  return (
    <button type={press ? "button" : "submit"} class={look} {...more}>
      {children}
    </button>
  );
}

/** A button for what cannot be taken back: it asks before it acts. */
export function AskingButton({ press, ...rest }: ButtonProps) {
  const [asks, setAsking] = useState(false);
  const keep = () => setAsking(false);
  if (!asks) return <Button {...rest} press={() => setAsking(true)} />;
  return [
    <Button isLocal key="keep" look="quiet" press={keep} label="Keep it" ref={focusOn} />,
    <Button press={() => (keep(), press?.())} label={`${rest.label} this`} />,
  ];
}

export const focusOn = (field: HTMLElement | null): void => field?.focus();

type FieldProps = html.InputHTMLAttributes & { readonly label: string };

/** A field below its label: for a text, unless it is given another. */
export const Field = ({ label, children, ...rest }: FieldProps) => (
  <label>
    {label}
    {children ?? <input {...rest} />}
  </label>
);

export type Fields = Readonly<Record<string, string>>;

export interface FormProps extends html.FormHTMLAttributes<HTMLFormElement> {
  readonly submit: (fields: Fields, form: HTMLFormElement) => unknown;
  /** What is said once it is done. */
  readonly said?: string;
}

/** Fields that the page sends, by their names, without spaces around them. What fails is shown below them. */
export function Form({ submit, said, children, ...rest }: FormProps) {
  const { failure, act } = useAct();
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = [...new FormData(form)].map(([name, value]) => [name, (value as string).trim()] as const);
    void act(async () => submit(Object.fromEntries(fields), form), said);
  };
  return (
    <form onSubmit={send} {...rest}>
      {children}
      {failure !== "" && <p class="failure">{failure}</p>}
    </form>
  );
}

interface SelectProps extends Pick<html.SelectHTMLAttributes, "id" | "name" | "disabled" | "aria-label"> {
  readonly isLocal?: boolean;
  readonly value?: string;
  /** What is chosen at first, where a person then has it in hand. */
  readonly initial?: string | undefined;
  /** What is chosen from, each with its name. */
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly choose?: (value: string) => unknown;
}

export function Select({ options, choose, isLocal, initial, ...rest }: SelectProps) {
  const hold = held(isLocal || !choose);
  const keep = (event: Event) => (event as KeyboardEvent).key !== "Tab" && event.preventDefault();
  const more = hold && { ...hold, onMouseDown: keep, onKeyDown: keep };
  return (
    <select onChange={(event) => void choose?.(event.currentTarget.value)} {...{ ...rest, ...more }}>
      {options.map(([value, name]) => (
        <option value={value} selected={value === initial || undefined} children={name} />
      ))}
    </select>
  );
}
