import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../link/api.ts";
import { say } from "../parts/announce.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { linkTo } from "../state/address.ts";
import {
  chooseDefault,
  defaultModel,
  hasOwnModel,
  loadModels,
  models,
  nameOf,
  providers,
} from "../state/models.ts";
import { count, counted } from "../text/format.ts";
import type { Model, Provider } from "../link/wire.ts";
import { Button } from "../parts/button.tsx";

function ProviderRow({ provider }: { readonly provider: Provider }) {
  const isBad = provider.status === "error";
  return (
    <li class="line">
      <span>
        <strong>{provider.name}</strong> <span class="faint">{provider.base_url}</span>
        {isBad && <p class="failure">{provider.lastError ?? "It cannot be reached."}</p>}
      </span>
      <span class="faint">{isBad ? "fault" : counted(provider.modelCount, "model")}</span>
    </li>
  );
}

function ModelRow({ model, choose }: { readonly model: Model; readonly choose: () => void }) {
  const facts = [
    model.is_local ? "on this computer" : "hosted",
    `context ${count(model.context_window)}`,
    model.supports_tools ? "" : "no tools",
  ];
  const isDefault = model.id === defaultModel.value;
  return (
    <li class="line">
      <span>
        <strong>{nameOf(model.id)}</strong>
        <p class="faint">{facts.filter(Boolean).join(" · ")}</p>
      </span>
      {isDefault ? (
        <span class="faint">Default</span>
      ) : (
        <Button look="quiet" press={choose} aria-label={`Use by default: ${model.id}`}>
          Use by default
        </Button>
      )}
    </li>
  );
}

function Connect() {
  return (
    <section class="notice" aria-label="Connect a model">
      <h2>Connect a model</h2>
      <p>
        Start Ollama, LM Studio or another server of models, or keep a vendor's key with{" "}
        <code>pergola secrets set</code>, then name it in{" "}
        <a href={linkTo("settings", "providers")}>Settings</a> under <code>providers.list</code>. A key in the
        environment, such as <code>OPENAI_API_KEY</code>, is found with the next start.
      </p>
    </section>
  );
}

/** The models there are, which one answers by default, and where they come from. */
export function ModelsView() {
  const [failure, setFailure] = useState("");
  const load = () =>
    void loadModels().then(
      () => setFailure(""),
      (error: unknown) => setFailure(messageOf(error)),
    );
  useEffect(load, []);
  const choose = (id: string) =>
    void chooseDefault(id).then(
      () => say(`${id} answers by default`),
      (error: unknown) => setFailure(messageOf(error)),
    );
  return (
    <div class="view">
      <h1>Models</h1>
      {failure !== "" && <Failed message={failure} retry={load} />}
      {models.value === undefined && failure === "" && <Loading />}
      {models.value !== undefined && !hasOwnModel.value && <Connect />}
      <ul class="lines">
        {models.value?.map((model) => (
          <ModelRow key={model.id} model={model} choose={() => choose(model.id)} />
        ))}
      </ul>
      {providers.value.length > 0 && (
        <>
          <h2>Providers</h2>
          <ul class="lines">
            {providers.value.map((provider) => (
              <ProviderRow key={provider.id} provider={provider} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
