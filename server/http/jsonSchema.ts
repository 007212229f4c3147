// Converts a zod schema to JSON Schema, for the reference document.
import { z } from 'zod';

type JsonSchema = {
  properties?: Record<string, { description?: string } & Record<string, unknown>>;
  required?: string[];
} & Record<string, unknown>;

/** @param io The side described where a schema transforms: its input or its output. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json as JsonSchema;
}
