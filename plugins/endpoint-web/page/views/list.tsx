import type { Summary } from "../link/index.ts";
import { Button, Fold, Icon, type IconName } from "../parts/index.ts";
import { activity, address, approvals, conversations, folders, linkTo } from "../state/index.ts";
import { nameIn, overlay, topics } from "../state/index.ts";
import { shortTime } from "../text/format.ts";
import { views } from "./index.tsx";
import { UsageLine } from "./models.tsx";
import { openOptions } from "./options.tsx";
import { Palette } from "./palette.tsx";

const marks = { waiting: ["!", "waits for you"], working: ["•", "works"] } as const;

function Row({ conversation }: { readonly conversation: Summary }) {
  const { id, title, updated } = conversation;
  const edit = () => openOptions(id);
  const state = activity.value.get(id);
  return (
    <li class="row-line">
      <a
        class="row"
        href={linkTo("c", id)}
        aria-current={address.value[0] === "c" && address.value[1] === id ? "page" : undefined}
        title={`${title} (F2 or Delete changes it)`}
        onKeyDown={({ key }) => (key === "F2" || key === "Delete") && edit()}
      >
        {state !== undefined && (
          <span class={`mark ${state}`}>
            <span aria-hidden="true">{marks[state][0]}</span>
            <span class="hidden">{marks[state][1]}: </span>
          </span>
        )}
        <span class="row-title" dir="auto" children={title} />
        <time dateTime={updated}>{shortTime(updated)}</time>
      </a>
      <Button look="quiet" aria-label={`Change ${title}`} press={edit} label="…" />
    </li>
  );
}

function ViewLink({ to, number = 0 }: { readonly to: IconName; readonly number?: number }) {
  return (
    <a class="view-link" href={linkTo(to)} aria-current={address.value[0] === to ? "page" : undefined}>
      <Icon name={to} />
      <span>{views[to]?.name}</span>
      {number > 0 && <span class="number">{number}</span>}
    </a>
  );
}

/** Where the list has a conversation: in its folder, else in its topic, else in no group. */
function groupOf({ folderId, topicId }: Summary): string {
  const [folder, topic] = [nameIn(folders.value, folderId), nameIn(topics.value, topicId)];
  return (folder && `Folder: ${folder}`) ?? (topic && `Topic: ${topic}`) ?? "";
}

function Conversations() {
  const all = conversations.value.toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned));
  const groups = [...Map.groupBy(all, groupOf)].sort(([one], [other]) => one.localeCompare(other));
  return (
    <ul class="rows">
      {groups.map(([name, own]) => {
        const rows = own.map((one) => <Row key={one.id} conversation={one} />);
        if (name === "") return rows;
        const list = <ul aria-label={name} children={rows} />;
        return <li key={name} children={<Fold name={name} look="faint" isOpen children={list} />} />;
      })}
    </ul>
  );
}

export function Navigation() {
  return (
    <nav aria-label="Conversations" tabIndex={-1}>
      <div class="nav-head">
        <a class="new" href={linkTo()} children={[<Icon name="plus" />, " New"]} />
        <Button isLocal look="quiet" press={() => (overlay.value = <Palette />)}>
          <Icon name="search" /> <span>Go to</span> <kbd>Ctrl+K</kbd>
        </Button>
      </div>
      <div>
        <ViewLink to="waiting" number={approvals.value.length} />
        <ViewLink to="runs" />
      </div>
      <Conversations />
      <div>
        {(["memory", "models", "plugins", "mcp", "settings", "check"] as const).map((view) => (
          <ViewLink key={view} to={view} />
        ))}
        <UsageLine />
      </div>
    </nav>
  );
}
