import { CodeSample } from "#app/features/content/docs/code-sample.tsx";
import { DefinitionList } from "#app/features/content/docs/docs-elements.tsx";

import type { FieldFacts } from "./field-facts.ts";
import type { OperationFacts, ReferenceFacts } from "./reference-facts.ts";

type Resource = ReferenceFacts["resources"][number];

/** A resource with its operations, each folded. */
export function ResourceSection({ resource: { id, title, description, operations } }: { resource: Resource }) {
  return (
    <>
      <h2 id={id}>{title}</h2>
      <p>{description}</p>
      {operations.map((operation) => (
        <Operation key={operation.id} operation={operation} />
      ))}
    </>
  );
}

function Operation({ operation }: { operation: OperationFacts }) {
  const { id, method, path, summary, description, fields, response, examples } = operation;
  return (
    <details id={id}>
      <summary>
        {summary}{" "}
        <code>
          {method} {path}
        </code>
      </summary>
      <p>
        {description} Returns {response}.
      </p>
      {fields.length > 0 && <FieldList fields={fields} />}
      <CodeSample what={`${summary} with curl`} note="" code={examples.curl} />
      <CodeSample what={`${summary} in JavaScript`} note="" code={examples.javascript} />
    </details>
  );
}

/** The fields of the objects that operations return. */
export function ObjectsSection({ objects }: Pick<ReferenceFacts, "objects">) {
  return (
    <>
      <h2 id="objects">Objects</h2>
      <p>Empty optional fields are null, and times are ISO 8601 in UTC. New fields may be added at any time.</p>
      {objects.map(({ name, fields }) => (
        <details key={name} id={`object-${name}`}>
          <summary>{name}</summary>
          <FieldList fields={fields} />
        </details>
      ))}
    </>
  );
}

function FieldList({ fields }: { fields: readonly FieldFacts[] }) {
  return (
    <DefinitionList
      rows={fields.map(({ name, type, about }) => [
        name,
        <>
          {type}. {about}
        </>,
      ])}
    />
  );
}
