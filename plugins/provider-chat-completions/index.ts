import { definePlugin } from "@pergola/sdk";
import { defineKind } from "./define-kind.ts";
import { presets } from "./presets.ts";

export default definePlugin({ providers: presets.map(defineKind) });
