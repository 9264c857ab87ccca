import { Select } from "../parts/index.ts";
import { defaultModel, models, nameOf, thread } from "../state/index.ts";

/** Which model answers next. */
export function ModelPicker() {
  const { model } = thread.value;
  const chosen = model.value || defaultModel.value;
  const ids = new Set([...(models.value ?? []).map(({ id }) => id), chosen]);
  if (chosen === "") return null;
  return (
    <label class="chip">
      <span class="hidden">Model</span>
      <Select
        value={chosen}
        options={[...ids].map((id) => [id, nameOf(id)])}
        choose={(id) => (model.value = id)}
      />
    </label>
  );
}
