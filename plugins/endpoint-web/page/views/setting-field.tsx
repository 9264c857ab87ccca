import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, type PreferenceSchema } from "../link/index.ts";
import { Button, Select, useAct } from "../parts/index.ts";

interface FieldProps {
  readonly schema: PreferenceSchema;
  readonly value: unknown;
  readonly again: () => void;
}

interface ControlProps {
  readonly id: string;
  readonly schema: PreferenceSchema;
  readonly value: unknown;
  readonly isFixed: boolean;
  readonly save: (value: unknown) => void;
}

const sources: Readonly<Record<PreferenceSchema["source"], string>> = {
  default: "default",
  stored: "set here",
  file: "set in the settings file",
  flag: "set by a flag of the start",
  environment: "set by the environment",
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function Choice({ id, schema, value, isFixed, save }: ControlProps) {
  return (
    <Select
      id={id}
      disabled={isFixed}
      value={textOf(value)}
      options={schema.range?.enum?.map((one) => [one, one]) ?? []}
      choose={save}
    />
  );
}

function Switch({ id, value, isFixed, save }: ControlProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      checked={value === true}
      disabled={isFixed}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}

/** What a browser is told of a field: a secret is not shown, a number has its limits. */
function kindOf({ range, type, secret }: PreferenceSchema) {
  if (secret) return { type: "password" } as const;
  if (type !== "integer" && type !== "number") return { type: "text" } as const;
  const step = type === "integer" ? 1 : "any";
  return { type: "number", min: range?.minimum, max: range?.maximum, step } as const;
}

/** A text, a number, or a secret, which is written and never read. Empty is the default again. */
function TextField({ id, schema, value, isFixed, save }: ControlProps) {
  const kind = kindOf(schema);
  const read = kind.type === "number" ? Number : String;
  const isSet = (value as { readonly set?: boolean } | null | undefined)?.set === true;
  return (
    <input
      id={id}
      {...kind}
      autoComplete="off"
      disabled={isFixed}
      placeholder={schema.secret && isSet ? "set, never shown" : ""}
      value={schema.secret ? undefined : textOf(value)}
      onChange={({ currentTarget: { value: text } }) => save(text === "" ? null : read(text))}
    />
  );
}

function JsonField({ id, schema, value, isFixed, save }: ControlProps) {
  const [failure, setFailure] = useState("");
  if (schema.secret) return <p class="faint">Set in the settings file: it may hold secrets.</p>;
  const change = (text: string) => {
    try {
      save(JSON.parse(text));
      setFailure("");
    } catch {
      setFailure("This is no JSON.");
    }
  };
  return (
    <>
      <textarea
        id={id}
        class="json"
        spellcheck={false}
        disabled={isFixed}
        rows={Math.min(8, textOf(value).split("\n").length)}
        onChange={(event) => change(event.currentTarget.value)}
      >
        {textOf(value)}
      </textarea>
      {failure !== "" && <p class="failure">{failure}</p>}
    </>
  );
}

const controls: Readonly<Record<string, (props: ControlProps) => ComponentChildren>> = {
  boolean: Switch,
  integer: TextField,
  number: TextField,
  string: TextField,
};

function controlFor({ type, range }: PreferenceSchema): (props: ControlProps) => ComponentChildren {
  if (range?.enum !== undefined) return Choice;
  const known = [type].flat().filter((one) => one !== "null");
  return (known.length === 1 ? controls[known[0] ?? ""] : undefined) ?? JsonField;
}

/** One preference: its value, where that comes from, and when a change counts. */
export function SettingField({ schema, value, again }: FieldProps) {
  const [saved, setSaved] = useState("");
  const { failure, act } = useAct();
  const { key, description, source, restart } = schema;
  const isFixed = source === "flag" || source === "environment";
  const change = async (next: unknown) => {
    setSaved("");
    const body = { [key]: next };
    const { restartRequired } = await call<{ restartRequired: string[] }>("/api/preferences", {
      method: "PATCH",
      body,
    });
    setSaved(restartRequired.length > 0 ? "Saved; in force after a restart" : "Saved");
    again();
  };
  const save = (next: unknown) => void act(() => change(next), `${key}: saved`);
  const Control = controlFor(schema);
  const facts = [
    sources[source],
    restart ? "in force after a restart" : "",
    schema.protected ? "protected" : "",
  ];
  return (
    <div class="setting">
      <label for={`setting-${key}`}>
        <code>{key}</code>
      </label>
      <Control id={`setting-${key}`} schema={schema} value={value} isFixed={isFixed} save={save} />
      <p>{description}</p>
      <p class="faint">
        {facts.filter(Boolean).join(" · ")}
        {source === "stored" && (
          <Button look="quiet" press={() => save(null)} aria-label={`Back to default: ${key}`}>
            Back to default
          </Button>
        )}
      </p>
      {failure !== "" && <p class="failure">{failure}</p>}
      {saved !== "" && <p class="done">{saved}</p>}
    </div>
  );
}
