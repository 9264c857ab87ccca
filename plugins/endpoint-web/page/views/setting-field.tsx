import { useState } from "preact/hooks";
import { call, type PreferenceSchema } from "../link/index.ts";
import { Button, Select, useAct } from "../parts/index.ts";
import { joined } from "../text/format.ts";

type FieldProps = Readonly<{ schema: PreferenceSchema; value: unknown; again: () => void }>;

/** Saves a value; `read` makes it of a text that may be wrong. */
type Save = (value: unknown, read?: (text: string) => unknown) => void;
type ControlProps = Omit<FieldProps, "again"> & Readonly<{ id: string; disabled: boolean; save: Save }>;

const sources: Readonly<Record<PreferenceSchema["source"], string>> = {
  default: "default",
  stored: "set here",
  file: "set in the settings file",
  flag: "set by a flag of the start",
  environment: "set by the environment",
};

const back = "Back to default";

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** What a browser is told of a field for a text or a number. */
function kindOf({ range, type, secret }: PreferenceSchema) {
  if (secret) return { type: "password" } as const;
  if (type !== "integer" && type !== "number") return { type: "text" } as const;
  const step = type === "integer" ? 1 : "any";
  return { type: "number", min: range?.minimum, max: range?.maximum, step } as const;
}

/** A text, a number, or a secret, which is written and never read. Empty is the default again. */
function TextField({ schema, value, save, ...rest }: ControlProps) {
  const kind = kindOf(schema);
  const read = kind.type === "number" ? Number : String;
  const isSet = (value as { readonly set?: boolean } | null | undefined)?.set === true;
  return (
    <input
      {...rest}
      {...kind}
      autoComplete="off"
      placeholder={schema.secret && isSet ? "set, never shown" : ""}
      value={schema.secret ? undefined : textOf(value)}
      onChange={({ currentTarget: { value: text } }) => save(text === "" ? null : read(text))}
    />
  );
}

function JsonField({ schema, value, save, ...rest }: ControlProps) {
  if (schema.secret) return <p class="faint">Set in the settings file: it may hold secrets.</p>;
  return (
    <textarea
      {...rest}
      class="json"
      spellcheck={false}
      rows={Math.min(8, textOf(value).split("\n").length)}
      value={textOf(value)}
      onChange={(event) => save(event.currentTarget.value, JSON.parse)}
    />
  );
}

function Control({ schema, value, save, ...rest }: ControlProps) {
  const { range, type } = schema;
  const types = [type].flat().filter((one) => one !== "null");
  if (range?.enum !== undefined)
    return (
      <Select {...rest} value={textOf(value)} options={range.enum.map((one) => [one, one])} choose={save} />
    );
  const Field = types.length > 1 || /array|object/.test(types[0] ?? "") ? JsonField : TextField;
  if (type !== "boolean") return <Field {...{ schema, value, save, ...rest }} />;
  const change = (event: { readonly currentTarget: HTMLInputElement }) => save(event.currentTarget.checked);
  return <input {...rest} type="checkbox" role="switch" checked={value === true} onChange={change} />;
}

/** One preference: its value, where that comes from, and when a change counts. */
export function SettingField({ schema, value, again }: FieldProps) {
  const [saved, setSaved] = useState("");
  const { failure, act } = useAct();
  const { key, description, source, restart } = schema;
  const isFixed = source === "flag" || source === "environment";
  const change = async (next: unknown) => {
    setSaved("");
    const answer = call<{ restartRequired: string[] }>("/api/preferences", "PATCH", { [key]: next });
    const { restartRequired } = await answer;
    setSaved(restartRequired.length > 0 ? "Saved; in force after a restart" : "Saved");
    again();
  };
  const save: Save = (next, read) =>
    void act(async () => change(read ? read(next as string) : next), `${key}: saved`);
  const facts = joined(
    sources[source],
    restart && "in force after a restart",
    schema.protected && "protected",
  );
  return (
    <div class="setting">
      <label for={`setting-${key}`}>
        <code>{key}</code>
      </label>
      <Control id={`setting-${key}`} schema={schema} value={value} disabled={isFixed} save={save} />
      <p>{description}</p>
      <p class="faint">
        {facts}
        {source === "stored" && (
          <Button look="quiet" press={() => save(null)} aria-label={`${back}: ${key}`} label={back} />
        )}
      </p>
      {failure !== "" && <p class="failure">{failure}</p>}
      {saved !== "" && <p class="done">{saved}</p>}
    </div>
  );
}
