import { useState } from "preact/hooks";
import { focusComposer } from "../chat/composer.tsx";
import { ApiError, call, type LocalServer, messageOf } from "../link/index.ts";
import { Button, Fold, Form, Items, Line, say, Select, useAct, useRead } from "../parts/index.ts";
import type { Fields } from "../parts/index.ts";
import { chooseDefault, connectProvider, defaultModel, models, providerAt } from "../state/index.ts";
import { counted } from "../text/format.ts";
import { Downloads } from "./downloads.tsx";

const vendors: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Google Gemini",
  openrouter: "OpenRouter",
  deepseek: "DeepSeek",
  custom: "Another, by its address",
};
const options = Object.entries(vendors);

async function answerBy(model: string): Promise<void> {
  await chooseDefault(model);
  say(`${model} answers from now on`);
  focusComposer();
}

const drawServer = ({ type, name, baseUrl, models: ids }: LocalServer) => {
  const model = ids.find((id) => !/embed/i.test(id));
  const known = providerAt(type, baseUrl);
  const connect = async () => {
    const { prefix } = known ?? (await connectProvider(type, { baseUrl }));
    await answerBy(`${prefix}/${model}`);
  };
  const isUsed = known !== undefined && defaultModel.value.startsWith(`${known.prefix}/`);
  return (
    <Line
      key={baseUrl}
      name={`${name} runs here`}
      note={counted(ids.length, "model")}
      actions={[!isUsed && model !== undefined && { label: `Use ${model}`, act: connect }]}
    >
      {isUsed && <span class="done">Connected</span>}
    </Line>
  );
};

/** A key of a vendor: sent once, shown never. Then the models that the vendor lists. */
function KeyForm() {
  const [vendor, setVendor] = useState("openai");
  const [prefix, setPrefix] = useState("");
  const { failure, act } = useAct();
  const refused = (error: unknown): never => {
    const isRefused = error instanceof ApiError && error.code === "provider_auth_failed";
    throw isRefused ? new Error(`${vendor === "custom" ? "It" : vendors[vendor]} refused this key`) : error;
  };
  const connect = (body: Fields, form: HTMLFormElement) => {
    form.querySelectorAll<HTMLInputElement>("[type=password]").forEach((field) => (field.value = ""));
    return act(async () => setPrefix((await connectProvider(vendor, body).catch(refused)).prefix));
  };
  const fault = { autoComplete: "off", "aria-invalid": failure !== "", "aria-describedby": "key-failure" };
  const listed = models.value?.filter(({ id }) => prefix !== "" && id.startsWith(`${prefix}/`)) ?? [];
  return (
    <Form class="answers" submit={connect}>
      <Select isLocal aria-label="Vendor" value={vendor} options={options} choose={setVendor} />
      {vendor === "custom" && (
        <input name="baseUrl" type="url" aria-label="Address" placeholder="Address" required />
      )}
      <input name="apiKey" type="password" aria-label="Key" placeholder="Key" required {...fault} />
      <Button label="Connect" />
      <p id="key-failure" class="failure" children={failure} />
      {listed.slice(0, 4).map(({ id }) => (
        <Button key={id} press={() => act(() => answerBy(id))} label={`Use ${id}`} />
      ))}
    </Form>
  );
}

const detect = () => call<{ servers: LocalServer[] }>("/api/providers/detect", "POST", {});

/** The ways to a model: a server on this computer, a vendor's key, a download. */
export function ConnectModel() {
  const { value, error } = useRead(detect, "");
  return (
    <section class="notice" aria-label="Connect a model">
      <h2>Connect a model</h2>
      {error !== undefined && <p class="faint">{messageOf(error)}</p>}
      <Items of={value?.servers ?? []}>{drawServer}</Items>
      <Fold name="Use a key" children={<KeyForm />} />
      <Downloads answerBy={answerBy} />
    </section>
  );
}
