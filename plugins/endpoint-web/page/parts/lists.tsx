import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { AskingButton, Button, focusOn, Form } from "./button.tsx";
import { textFor, visible } from "../text/format.ts";
import { useAct } from "./reading.tsx";

export interface Action {
  readonly label: string;
  /** What it is done to, for who hears the button alone. */
  readonly about?: string;
  /** It is asked for twice. */
  readonly isFinal?: boolean;
  readonly act: () => Promise<unknown>;
  /** What is said once it is done. */
  readonly said?: string;
}

interface LineProps {
  readonly name: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly fault?: string | undefined;
  readonly actions?: readonly (Action | false | undefined)[];
  /** It is what the address names: it has the focus at once. */
  readonly isNamed?: boolean;
  readonly children?: ComponentChildren;
}

/** One thing of a list. What fails of its actions is shown with it. */
export function Line({ name, note, fault, actions = [], isNamed = false, children }: LineProps) {
  const { failure, act } = useAct();
  return (
    <li class="line" {...(isNamed && { ref: focusOn, tabIndex: -1, "aria-current": true })}>
      <span>
        <strong>{name}</strong>
        {note && <p class="faint">{note}</p>}
        {(failure || fault) && <p class="failure">{failure || fault}</p>}
      </span>
      {children}
      {actions.map((action) => {
        if (!action) return null;
        const { label, about, act: work, said, isFinal } = action;
        const name = about && `${label}: ${about}`;
        const Kind = isFinal ? AskingButton : Button;
        return <Kind key={label} press={() => act(work, said)} aria-label={name} label={label} />;
      })}
    </li>
  );
}

interface ItemsProps<T> {
  readonly of: readonly T[];
  /** What is said where there are none. */
  readonly empty?: string;
  /** How many there are in all, and the way to more of them; no list is read beyond the thousandth. */
  readonly count?: number;
  readonly more?: () => unknown;
  readonly children: (item: T) => ComponentChildren;
}

export function Items<T>({ of, empty, count = 0, more, children }: ItemsProps<T>) {
  const hasMore = more && of.length < Math.min(count, 1000);
  if (of.length === 0 && empty === undefined) return null;
  return (
    <ul class="lines">
      {of.length === 0 && <li class="empty">{empty}</li>}
      {of.map(children)}
      {hasMore && <li children={<Button look="quiet" press={more} label="More" />} />}
    </ul>
  );
}

interface SearchProps {
  readonly name: string;
  readonly value?: string | undefined;
  readonly find: (words: string) => unknown;
  /** What hears of each letter, without the service; else `find` is told when the field is emptied. */
  readonly type?: (words: string) => unknown;
}

/** Words to look for, told once they are whole. */
export function Search({ name, value, find, type }: SearchProps) {
  const hear = type ?? ((words: string) => words === "" && find(""));
  return (
    <Form role="search" class="search" submit={({ words = "" }) => find(words)}>
      <input
        name="words"
        type="search"
        aria-label={name}
        placeholder={name}
        defaultValue={value}
        onInput={(event) => hear(event.currentTarget.value.trim())}
      />
      <Button isLocal={type !== undefined} label="Search" />
    </Form>
  );
}

/** Texts one below the other, each under its name; what is no text as JSON. What is empty is left out. */
export const Texts = ({ of }: { readonly of: Readonly<Record<string, unknown>> }) => (
  <div class="texts">
    {Object.entries(of).map(([name, value]) => {
      const text = visible(textFor(value));
      return text === "" ? null : [<h4>{visible(name)}</h4>, <pre tabIndex={0}>{text}</pre>];
    })}
  </div>
);

type FoldProps = Readonly<
  Record<"name" | "children", ComponentChildren> & { look?: string; isOpen?: boolean }
>;

/** What is drawn, and read, once it is open: as `isOpen` says until somebody opens or closes it. */
export function Fold({ name, look, isOpen: opensItself = false, children }: FoldProps) {
  const [chosen, choose] = useState<boolean | undefined>(undefined);
  const isOpen = chosen ?? opensItself;
  return (
    <details class={look} open={isOpen} onToggle={(event) => choose(event.currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && children}
    </details>
  );
}
