import { defaultModel, models, nameOf, thread } from "../state/index.ts";

/** Which model answers next. */
export function ModelPicker() {
  const { model } = thread.value;
  const chosen = model.value || defaultModel.value;
  const list = models.value ?? [];
  const known = list.some(({ id }) => id === chosen);
  if (chosen === "") return null;
  return (
    <label class="chip">
      <span class="hidden">Model</span>
      <select value={chosen} onChange={(event) => (model.value = event.currentTarget.value)}>
        {!known && <option value={chosen}>{nameOf(chosen)}</option>}
        {list.map(({ id }) => (
          <option value={id}>{nameOf(id)}</option>
        ))}
      </select>
    </label>
  );
}
