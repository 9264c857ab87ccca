import { serve } from "@pergola/kit-worker/serve";
import { yamlErrors } from "./code/yaml-errors.ts";
import type { YamlTasks } from "./code/yaml-reader.ts";

serve<YamlTasks>({ errors: yamlErrors });
