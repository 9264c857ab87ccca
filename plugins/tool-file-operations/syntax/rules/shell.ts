import { places, type Rules } from "../rules.ts";

export const bash: Rules = {
  ...places("definition", "function_definition.name", "variable_assignment.name"),
  "command.name": "call",
  "command_name.": "up",
};

export const powershell: Rules = {
  ...places(
    "definition",
    "function_statement.",
    "class_statement.",
    "class_method_definition.",
    "class_property_definition.",
    "script_parameter.",
  ),
  ...places("call", "command.command_name", "invokation_expression."),
  "member_name.": "member",
};
