import type { z } from "zod";

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The parts of an OpenAPI 3.1 document that ours has. */
export type OpenApiDocument = {
  openapi: "3.1.0";
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, OpenApiHeader>;
    parameters: Record<string, OpenApiParameter>;
    securitySchemes: Record<string, { type: "http"; scheme: "bearer"; description: string }>;
  };
};

export type OpenApiOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  "x-scope": string;
  parameters: (OpenApiParameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, OpenApiResponse>;
};

export type OpenApiParameter = {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: JsonSchema;
};

export type OpenApiHeader = { description: string; schema: JsonSchema };
type OpenApiResponse = { description: string; headers?: Record<string, Reference>; content?: Content };
type Content = Record<string, { schema: JsonSchema }>;
type Reference = { $ref: string };
