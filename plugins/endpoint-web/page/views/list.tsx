import { useState } from "preact/hooks";
import { call, messageOf, pathOf, refresh, type Summary } from "../link/index.ts";
import { Button, Form, Icon, type IconName, say } from "../parts/index.ts";
import { activity, address, approvals, conversations, linkTo, open } from "../state/index.ts";
import { shortTime } from "../text/index.ts";
import { isListOpen, overlay } from "./overlay.ts";

const marks = {
  waiting: { sign: "!", words: "waits for you" },
  working: { sign: "•", words: "works" },
} as const;

type Mode = "rename" | "delete" | undefined;

async function act(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => say(messageOf(error), true));
  refresh();
}

function RenameForm({ conversation, close }: { readonly conversation: Summary; readonly close: () => void }) {
  const save = (form: HTMLFormElement) => {
    const title = (new FormData(form).get("title") as string).trim();
    close();
    if (title === "") return;
    const path = pathOf(["v1", "conversations", conversation.id]);
    void act(call(path, { method: "PATCH", body: { title } }));
  };
  return (
    <Form class="row-form" submit={save}>
      <input
        name="title"
        aria-label="Title"
        defaultValue={conversation.title}
        ref={(field) => field?.focus()}
        onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), close())}
      />
      <Button>Save</Button>
    </Form>
  );
}

function DeleteForm({ conversation, close }: { readonly conversation: Summary; readonly close: () => void }) {
  const remove = () => {
    close();
    if (address.peek()[1] === conversation.id) open();
    void act(call(pathOf(["v1", "conversations", conversation.id]), { method: "DELETE" }));
  };
  return (
    <div class="row-form" role="group" aria-label={`Delete ${conversation.title}?`}>
      <span>Delete it?</span>
      <Button press={remove}>Delete</Button>
      <Button look="quiet" ref={(button) => button?.focus()} press={close}>
        Keep
      </Button>
    </div>
  );
}

function Row({ conversation }: { readonly conversation: Summary }) {
  const [mode, setMode] = useState<Mode>(undefined);
  const { id, title, updated } = conversation;
  const state = activity.value.get(id);
  const close = () => setMode(undefined);
  if (mode === "rename") return <RenameForm conversation={conversation} close={close} />;
  if (mode === "delete") return <DeleteForm conversation={conversation} close={close} />;
  const press = (event: KeyboardEvent) => {
    if (event.key === "F2") setMode("rename");
    if (event.key === "Delete") setMode("delete");
  };
  return (
    <a
      class="row"
      href={linkTo("c", id)}
      aria-current={address.value[0] === "c" && address.value[1] === id ? "page" : undefined}
      title={`${title} (F2 renames, Delete removes)`}
      onKeyDown={press}
      onClick={() => (isListOpen.value = false)}
    >
      {state !== undefined && (
        <span class={`mark ${state}`}>
          <span aria-hidden="true">{marks[state].sign}</span>
          <span class="hidden">{marks[state].words}: </span>
        </span>
      )}
      <span class="row-title">{title}</span>
      <time dateTime={updated}>{shortTime(updated)}</time>
    </a>
  );
}

function Rows() {
  const all = conversations.value ?? [];
  const sorted = [...all.filter(({ isPinned }) => isPinned), ...all.filter(({ isPinned }) => !isPinned)];
  return (
    <ul class="rows">
      {sorted.map((conversation) => (
        <li key={conversation.id}>
          <Row conversation={conversation} />
        </li>
      ))}
    </ul>
  );
}

interface ViewLinkProps {
  readonly name: string;
  readonly to: string;
  readonly icon: IconName;
  readonly number?: number;
}

function ViewLink({ name, to, icon, number = 0 }: ViewLinkProps) {
  return (
    <a
      class="view-link"
      href={linkTo(to)}
      aria-current={address.value[0] === to ? "page" : undefined}
      onClick={() => (isListOpen.value = false)}
    >
      <Icon name={icon} />
      <span>{name}</span>
      {number > 0 && <span class="number">{number}</span>}
    </a>
  );
}

/** Conversations, and the way to the other views. */
export function Navigation() {
  return (
    <nav
      id="navigation"
      aria-label="Conversations"
      class={isListOpen.value ? "open" : undefined}
      tabIndex={-1}
    >
      <div class="nav-head">
        <a class="new" href={linkTo()} onClick={() => (isListOpen.value = false)}>
          <Icon name="plus" /> New
        </a>
        <Button look="quiet" press={() => (overlay.value = "palette")}>
          <Icon name="search" /> <span>Go to</span> <kbd>Ctrl+K</kbd>
        </Button>
      </div>
      <div class="nav-top">
        <ViewLink name="Waiting" to="waiting" icon="clock" number={approvals.value.length} />
        <ViewLink name="Runs" to="runs" icon="runs" />
      </div>
      <Rows />
      <div class="nav-foot">
        <ViewLink name="Memory" to="memory" icon="memory" />
        <ViewLink name="Models" to="models" icon="models" />
        <ViewLink name="Settings" to="settings" icon="settings" />
      </div>
    </nav>
  );
}
