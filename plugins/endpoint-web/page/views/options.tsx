import { call, callIfThere, type Detail, download, type Named, pathOf } from "../link/index.ts";
import { Button, Field, focusOn, Fold, Form, Items, Line, Panel } from "../parts/index.ts";
import { type Fields, Reading, Select, useRead } from "../parts/index.ts";
import { address, closeDialog, open, overlay, replaceBy } from "../state/index.ts";

/** What a route lists under a name; nothing where the plugin for it is off. */
const listOf = (path: string, name: string): Promise<readonly Named[]> =>
  callIfThere<Readonly<Record<string, readonly Named[]>>>(path).then((found) => found?.[name] ?? []);

/** A conversation, unless it is still to be made, and what there is to choose for it. */
async function readFor(path: string) {
  const [detail, topics, folders, prompts, personalities] = await Promise.all([
    callIfThere<Detail>(`${path}?messages=false`),
    listOf("/api/topics", "topics"),
    listOf("/api/folders", "folders"),
    listOf("/api/prompts/system", "prompts"),
    listOf("/api/personalities", "personalities"),
  ]);
  return { detail, topics, folders, prompts, personalities };
}

type FormProps = Awaited<ReturnType<typeof readFor>> & {
  readonly store: (body: object) => Promise<unknown>;
};

/** What a change of a field asks for. Topics and folders go by their names; a new name makes one. */
async function changeOf([name, value]: readonly [string, string]): Promise<readonly [string, unknown]> {
  if (name !== "topic" && name !== "folder") return [name, value || null];
  return [`${name}Id`, value && (await call<Named>(`/api/${name}s`, "POST", { name: value })).id];
}

const drawName = ({ name }: Named) => <option value={name} />;

/** What a conversation is called, and where it belongs. */
function PlaceForm({ detail, topics, folders, store }: FormProps) {
  const { title = "", workingDirectory, topicId, folderId } = detail ?? {};
  const topic = topics.find(({ id }) => id === topicId)?.name ?? "";
  const folder = folders.find(({ id }) => id === folderId)?.name ?? "";
  const before: Fields = { title, workingDirectory: workingDirectory ?? "", topic, folder };
  const save = async (fields: Fields) => {
    const changed = Object.entries(fields).filter(([name, value]) => value !== before[name]);
    await store(Object.fromEntries(await Promise.all(changed.map(changeOf))));
  };
  const text = (name: string, label: string, more: object) => (
    <Field {...{ name, label, ...more }} defaultValue={before[name]} />
  );
  return (
    <Form class="options" submit={save} said="Saved">
      {text("title", "Title", { ref: focusOn, placeholder: "What it is about" })}
      {text("workingDirectory", "Working directory", { placeholder: "A folder of its own" })}
      {text("topic", "Topic, which shares what is remembered", { placeholder: "None", list: "topics" })}
      {text("folder", "Folder in the list", { placeholder: "None", list: "folders" })}
      <datalist id="topics" children={topics.map(drawName)} />
      <datalist id="folders" children={folders.map(drawName)} />
      <div class="answers" children={<Button look="primary" label="Save" />} />
    </Form>
  );
}

/** How a model picks its words, and when it stops. */
const numbers: Readonly<Record<string, string>> = {
  temperature: "Temperature",
  topP: "Share of likely words (top p)",
  maxTokens: "Longest answer, in tokens",
};

const valueOf = ([name, text]: readonly [string, string]) =>
  [name, name in numbers && text !== "" ? Number(text) : text || null] as const;

/** How models are asked in a conversation; what is left empty is as everywhere. */
function AnswersForm({ detail, prompts, personalities, store }: FormProps) {
  const [settings, effective] = [detail?.settings, detail?.effective] as (Fields | undefined)[];
  const save = (fields: Fields) =>
    store({ settings: Object.fromEntries(Object.entries(fields).map(valueOf)) });
  const choice = (name: string, label: string, list: readonly Named[]) => {
    const options = [["", "As everywhere"], ...list.map((one) => [one.id, one.name] as const)] as const;
    return (
      <Field label={label} children={<Select {...{ name, options }} value={settings?.[name] ?? ""} />} />
    );
  };
  return (
    <Form class="options" submit={save} said="Saved">
      {choice("selectedSystemPromptId", "Prompt", prompts)}
      {choice("selectedPersonalityId", "Personality", personalities)}
      {Object.entries(numbers).map(([name, label]) => {
        const before = { placeholder: effective?.[name], defaultValue: settings?.[name] };
        return <Field {...{ name, label, ...before }} type="number" min={0} step="any" />;
      })}
      <div class="answers" children={<Button look="primary" label="Save" />} />
    </Form>
  );
}

/** What can be set for a conversation, and what can be done with the whole of it. */
function Options({ id }: { readonly id: string }) {
  const path = pathOf(["v1", "conversations", id]);
  const read = useRead(() => readFor(path), path);
  const change = (method: string, body?: object) => call(path, method, body).then(closeDialog);
  const remove = async () => {
    if (address.peek()[1] === id) open();
    await change("DELETE");
  };
  const make = async (body: object) => {
    await call("/v1/conversations", "POST", { id, ...body }).then(closeDialog);
    replaceBy("c", id);
  };
  return (
    <Reading read={read}>
      {(found) => {
        const { detail } = found;
        const store = detail ? (body: object) => change("PATCH", body) : make;
        return [
          <PlaceForm {...found} store={store} />,
          <Fold name="How it answers" children={<AnswersForm {...found} store={store} />} />,
          <Items of={detail ? [detail] : []}>
            {({ isPinned, title }) => (
              <Line
                name="The whole conversation"
                actions={[
                  { label: isPinned ? "Unpin" : "Pin", act: () => change("PATCH", { isPinned: !isPinned }) },
                  { label: "Export", act: () => download(`${path}/export`, `${title}.json`) },
                  { label: "Delete", isFinal: true, act: remove },
                ]}
              />
            )}
          </Items>,
        ];
      }}
    </Reading>
  );
}

/** Shows the options of a conversation. */
export const openOptions = (id: string): void =>
  void (overlay.value = <Panel name="Options" children={<Options id={id} />} />);
