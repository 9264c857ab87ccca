import { fieldsOf, readResponseFormat } from "@pergola/kit-provider";
import { AppError, isObject, type Json, type JsonObject } from "@pergola/sdk";
import { placeFault } from "./place-fault.ts";

/** What an answer is to be. */
export interface WantedForm {
  readonly schema: JsonObject;
  /** No schema was given: any object will do. */
  readonly isAnyObject: boolean;
  readonly strict: boolean;
}

export const unusable = (fault: string): AppError =>
  new AppError({
    code: "invalid_value",
    message: `The schema of response_format cannot be used: ${fault}.`,
    param: "response_format",
  });

/**
 * Reads a `response_format`; undefined where it asks for text, or for something that is not known here.
 * Throws `invalid_value` for a schema that is too large, or refers to something outside.
 */
export function readForm(responseFormat: Json | undefined): WantedForm | undefined {
  const { type, schema } = readResponseFormat(responseFormat);
  if (type !== "json_object" && type !== "json_schema") return undefined;
  const strict = fieldsOf(fieldsOf(responseFormat)["json_schema"])["strict"] === true;
  if (type === "json_object" || schema === undefined || schema === null)
    return { schema: { type: "object" }, isAnyObject: true, strict };
  if (!isObject(schema)) throw unusable("it is no object");
  const fault = placeFault(schema as JsonObject);
  if (fault !== undefined) throw unusable(fault);
  return { schema: schema as JsonObject, isAnyObject: false, strict };
}
