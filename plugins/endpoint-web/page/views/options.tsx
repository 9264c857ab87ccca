import { call, callIfThere, type Detail, download, pathOf, type Topic } from "../link/index.ts";
import {
  Button,
  Field,
  type Fields,
  focusOn,
  Form,
  Items,
  Line,
  Panel,
  Reading,
  useRead,
} from "../parts/index.ts";
import { address, closeDialog, open, overlay, replaceBy } from "../state/index.ts";

/** A conversation, unless it is still to be made, and the topics that there are. */
async function read(path: string) {
  const found = callIfThere<{ topics: readonly Topic[] }>("/api/topics");
  const detail = await callIfThere<Detail>(`${path}?messages=false`);
  const { topics = [] } = (await found) ?? {};
  const topic = topics.find(({ id }) => id === detail?.topicId)?.name ?? "";
  const { title = "", workingDirectory } = detail ?? {};
  const before: Fields = { title, workingDirectory: workingDirectory ?? "", topic };
  return { detail, topics, before };
}

/** What a change of a field asks for. A topic that has the name is taken, else made. */
async function changeOf([name, value]: readonly [string, string]): Promise<readonly [string, unknown]> {
  if (name !== "topic") return [name, value || null];
  return ["topicId", value && (await call<Topic>("/api/topics", "POST", { name: value })).id];
}

const drawName = ({ name }: Topic) => <option value={name} />;

/** What can be set for a conversation, and what can be done with the whole of it. */
function Options({ id }: { readonly id: string }) {
  const path = pathOf(["v1", "conversations", id]);
  const found = useRead(() => read(path), path);
  const change = (method: string, body?: object) => call(path, method, body).then(closeDialog);
  const remove = async () => {
    if (address.peek()[1] === id) open();
    await change("DELETE");
  };
  return (
    <Reading read={found}>
      {({ detail, topics, before }) => {
        const save = async (fields: Fields) => {
          const changed = Object.entries(fields).filter(([name, value]) => value !== before[name]);
          const body = Object.fromEntries(await Promise.all(changed.map(changeOf)));
          if (detail) return change("PATCH", body);
          await call("/v1/conversations", "POST", { id, ...body }).then(closeDialog);
          replaceBy("c", id);
        };
        const text = (name: string, label: string, more: object) => (
          <Field {...{ name, label, ...more }} defaultValue={before[name]} />
        );
        return [
          <Form class="options" submit={save} said="Saved">
            {text("title", "Title", { ref: focusOn, placeholder: "What it is about" })}
            {text("workingDirectory", "Working directory", { placeholder: "A folder of its own" })}
            {text("topic", "Topic, which shares what is remembered", { placeholder: "None", list: "topics" })}
            <datalist id="topics" children={topics.map(drawName)} />
            <div class="answers" children={<Button look="primary" label="Save" />} />
          </Form>,
          <Items of={detail ? [detail] : []}>
            {({ isPinned }) => (
              <Line
                name="The whole conversation"
                actions={[
                  { label: isPinned ? "Unpin" : "Pin", act: () => change("PATCH", { isPinned: !isPinned }) },
                  { label: "Export", act: () => download(`${path}/export`, `${before["title"]}.json`) },
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
