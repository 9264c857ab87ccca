import { common, createLowlight } from "lowlight";
import { type ComponentChildren, h } from "preact";

const lowlight = createLowlight(common);

type Root = ReturnType<typeof lowlight.highlight>;

function draw(node: Root | Root["children"][number]): ComponentChildren {
  if (node.type === "text") return node.value;
  if (node.type === "root") return node.children.map(draw);
  if (node.type !== "element") return null;
  return h("span", { class: [node.properties["className"]].flat().join(" ") }, node.children.map(draw));
}

/** The code with its words marked; as it is in a language that is not known. */
export const highlight = (code: string, language: string): ComponentChildren =>
  lowlight.registered(language) ? draw(lowlight.highlight(language, code)) : code;
