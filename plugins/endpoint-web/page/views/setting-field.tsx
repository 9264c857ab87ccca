import { useState } from "preact/hooks";
import { call, type PreferenceSchema } from "../link/index.ts";
import { Button, held, Line, Select, useAct } from "../parts/index.ts";
import { joined, textFor } from "../text/format.ts";

type FieldProps = Readonly<{ schema: PreferenceSchema; value: unknown }>;

/** Saves a value; `read` makes it of a text that may be wrong. */
type Save = (value: unknown, read?: (text: string) => unknown) => void;
type ControlProps = FieldProps & Readonly<{ id: string; disabled: boolean; save: Save }>;

const origins: Readonly<Record<string, string>> = { default: "default", stored: "set here" };
const back = "Back to default";

function kindOf({ range, type, secret }: PreferenceSchema, text: string) {
  const types = [type].flat().filter((one) => one !== "null");
  const rows = Math.min(8, text.split("\n").length);
  if (types.length > 1 || /array|object/.test(types[0] ?? ""))
    return { class: "json", rows, read: JSON.parse };
  if (secret) return { type: "password", read: String } as const;
  if (type !== "integer" && type !== "number") return { type: "text", read: String } as const;
  const step = type === "integer" ? 1 : "any";
  return { type: "number", min: range?.minimum, max: range?.maximum, step, read: Number } as const;
}

/** What a value is set in: a switch, a list, a text, JSON, or a secret, never shown. Empty is the default. */
function Control({ schema, value, save, ...rest }: ControlProps) {
  const text = textFor(value);
  const options = schema.range?.enum?.map((one) => [one, one] as const);
  if (options) return <Select {...rest} value={text} options={options} choose={save} />;
  const change = (event: { readonly currentTarget: HTMLInputElement }) => save(event.currentTarget.checked);
  const hold = held();
  const own = { ...rest, ...hold, readOnly: hold !== undefined };
  if (schema.type === "boolean")
    return <input {...own} type="checkbox" role="switch" checked={value === true} onChange={change} />;
  const { read, ...kind } = kindOf(schema, text);
  const isJson = kind.class === "json";
  if (isJson && schema.secret) return <p class="faint">Set in the settings file: it may hold secrets.</p>;
  const isSet = (value as { readonly set?: boolean } | null | undefined)?.set === true;
  const Name = (isJson ? "textarea" : "input") as "input";
  return (
    <Name
      {...{ ...own, ...kind }}
      autoComplete="off"
      spellcheck={false}
      placeholder={schema.secret && isSet ? "set, never shown" : ""}
      value={schema.secret ? undefined : text}
      onChange={({ currentTarget: { value: next } }) => save(next === "" ? null : next, read)}
    />
  );
}

export function SettingField({ schema, value }: FieldProps) {
  const [saved, setSaved] = useState("");
  const { failure, act } = useAct();
  const { key, description, source, restart, protected: isProtected, refusal } = schema;
  const id = `setting-${key}`;
  const change = async (next: unknown) => {
    setSaved("");
    const answer = call<{ restartRequired: string[] }>("/api/preferences", "PATCH", { [key]: next });
    const { restartRequired } = await answer;
    setSaved(restartRequired.length > 0 ? "Saved; in force after a restart" : "Saved");
  };
  const save: Save = (next, read) =>
    void act(async () => change(read && next !== null ? read(next as string) : next), `${key}: saved`);
  const facts = joined(origins[source], restart && "in force after a restart", isProtected && "protected");
  return (
    <Line
      name={<label for={id} children={<code>{key}</code>} />}
      note={[
        <p>{description}</p>,
        facts,
        refusal !== null && <p>{refusal}</p>,
        source === "stored" && refusal === null && (
          <Button look="quiet" press={() => save(null)} aria-label={`${back}: ${key}`} label={back} />
        ),
        saved !== "" && <p class="done">{saved}</p>,
      ]}
      fault={failure}
    >
      <Control {...{ id, schema, value, save }} disabled={refusal !== null} />
    </Line>
  );
}
