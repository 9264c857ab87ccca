import { call, callIfThere, type Detail, download, type Named, pathOf } from "../link/index.ts";
import { Button, Field, type Fields, focusOn, Fold, Form, From, Items, Line } from "../parts/index.ts";
import { openPanel, Select } from "../parts/index.ts";
import { address, closeDialog, folders, listOf, nameIn, open } from "../state/index.ts";
import { thread, topics } from "../state/index.ts";

/** A conversation, unless it is still to be made, and what models can be asked by. */
async function readFor(path: string) {
  const [detail, prompts, personalities] = await Promise.all([
    callIfThere<Detail>(`${path}?messages=false`),
    listOf<Named>("/api/prompts/system", "prompts"),
    listOf<Named>("/api/personalities", "personalities"),
  ]);
  return { detail, prompts, personalities };
}

const numbers: Readonly<Record<string, string>> = {
  temperature: "Temperature",
  topP: "Share of likely words (top p)",
  maxTokens: "Longest answer, in tokens",
};

const isSetting = ([name]: readonly [string, string]) => name in numbers || name.startsWith("selected");

/** What a change of a field asks for. Topics and folders go by their names; a new name makes one. */
async function changeOf([name, text]: readonly [string, string]): Promise<readonly [string, unknown]> {
  if (text === "") return [/^(topic|folder)$/.test(name) ? `${name}Id` : name, null];
  if (name in numbers) return [name, Number(text)];
  if (name !== "topic" && name !== "folder") return [name, text];
  return [`${name}Id`, (await call<Named>(`/api/${name}s`, "POST", { name: text })).id];
}

const changesOf = async (fields: readonly (readonly [string, string])[]) =>
  Object.fromEntries(await Promise.all(fields.map(changeOf)));

const textsOf = (values: object = {}): Fields =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value ?? ""}`]));

const drawName = ({ name }: Named) => <option value={name} />;

type FormProps = Awaited<ReturnType<typeof readFor>> & Readonly<{ store: (body: object) => unknown }>;

function OptionsForm({ detail, prompts, personalities, store }: FormProps) {
  const { title = "", workingDirectory, topicId, folderId } = detail ?? {};
  const before: Fields = {
    ...textsOf(detail?.settings),
    title,
    workingDirectory: workingDirectory ?? "",
    topic: nameIn(topics.value, topicId) ?? "",
    folder: nameIn(folders.value, folderId) ?? "",
  };
  const save = async (fields: Fields) => {
    const changed = Object.entries(fields).filter(([name, text]) => text !== (before[name] ?? ""));
    const asked = changed.filter(isSetting);
    const own = await changesOf(changed.filter((one) => !isSetting(one)));
    await store({ ...own, ...(asked.length > 0 && { settings: await changesOf(asked) }) });
  };
  const field = (name: string, label: string, more: object = {}) => (
    <Field {...{ name, label, ...more }} defaultValue={before[name]} />
  );
  const choice = (name: string, label: string, list: readonly Named[]) => {
    const options = [["", "As everywhere"], ...list.map((one) => [one.id, one.name] as const)] as const;
    return <Field label={label} children={<Select {...{ name, options }} initial={before[name]} />} />;
  };
  const number = { type: "number", min: 0, step: "any" };
  return (
    <Form class="options" submit={save} said="Saved">
      {field("title", "Title", { ref: focusOn, placeholder: "What it is about" })}
      {field("workingDirectory", "Working directory", { placeholder: "A folder of its own" })}
      {field("topic", "Topic, which shares what is remembered", { placeholder: "None", list: "topics" })}
      {field("folder", "Folder in the list", { placeholder: "None", list: "folders" })}
      <datalist id="topics" children={topics.value.map(drawName)} />
      <datalist id="folders" children={folders.value.map(drawName)} />
      <Fold name="How it answers">
        <div class="options">
          {choice("selectedSystemPromptId", "Prompt", prompts)}
          {choice("selectedPersonalityId", "Personality", personalities)}
          {Object.entries(numbers).map(([name, label]) =>
            field(name, label, { ...number, placeholder: textsOf(detail?.effective)[name] }),
          )}
        </div>
      </Fold>
      <div class="answers" children={<Button look="primary" label="Save" />} />
    </Form>
  );
}

function Options({ id }: { readonly id: string }) {
  const path = pathOf(["v1", "conversations", id]);
  const change = (method: string, body?: object) => call(path, method, body).then(closeDialog);
  const remove = async () => {
    if (address.peek()[1] === id) open();
    await change("DELETE");
  };
  const drawWhole = ({ isPinned, title }: Detail) => (
    <Line
      name="The whole conversation"
      actions={[
        { label: isPinned ? "Unpin" : "Pin", act: () => change("PATCH", { isPinned: !isPinned }) },
        { label: "Export", act: () => download(`${path}/export`, `${title}.json`) },
        { label: "Delete", isFinal: true, act: remove },
      ]}
    />
  );
  return (
    <From path={path} read={() => readFor(path)}>
      {(found) => {
        const { detail } = found;
        const make = (body: object) => thread.peek().make(body).then(closeDialog);
        const store = detail ? (body: object) => change("PATCH", body) : make;
        return [
          <OptionsForm {...found} store={store} />,
          <Items of={detail ? [detail] : []} children={drawWhole} />,
        ];
      }}
    </From>
  );
}

export const openOptions = (id: string): void => openPanel("Options", <Options id={id} />);
