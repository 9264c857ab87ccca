import { AppError, defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";
import { expositionType } from "./exposition.ts";

export const getMetrics = defineRoute({
  method: "GET",
  path: "/metrics",
  scope: "read",
  summary: "What runs, models and tools have done since the start, for Prometheus",
  description:
    "The text format, version 0.0.4. Labels are `model`, `provider`, `tool` and `outcome`. Callers on " +
    "other computers are refused while `metrics.allow_remote` is off.",
  answers: { 200: { "text/plain": { type: "string" } } },
  failures: [],
  handle({ caller }, { telemetry, preferences }: ServicesWith<"telemetry">) {
    if (caller.remote && !preferences.get<boolean>("metrics.allow_remote"))
      throw new AppError({
        code: "remote_not_allowed",
        message: "Metrics are for callers on the same computer; see metrics.allow_remote.",
      });
    return { text: telemetry.exposition(), contentType: expositionType };
  },
});

export const metrics = defineEndpoints({ group: "metrics", needs: "telemetry", routes: [getMetrics] });
