/**
 * How many bytes a form may have. Nobody types more than the first, and what is refused comes back with all that was typed, which costs
 * several times as much again; the second is for the editors, which take imported links and cards.
 */
export const formBytes = { usual: 100_000, editors: 2_000_000 } as const;

/** Our largest form has some fifty fields. */
const MAX_FIELDS = 1_000;

/**
 * The fields of a sent form. Empty for a body that is no form (JSON, plain text, one cut off in the middle): they then say what is
 * missing. Also for one with thousands of fields: nobody filled it in, and taking it apart costs time that grows with their square.
 */
export async function readForm(request: Request): Promise<FormData> {
  try {
    const isUrlEncoded = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
    return isUrlEncoded ? parseFields(await request.text()) : await request.formData();
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}

function parseFields(text: string): FormData {
  const form = new FormData();
  if (hasTooManyFields(text)) return form;
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value);
  return form;
}

function hasTooManyFields(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) {
    fields += 1;
    if (fields > MAX_FIELDS) return true;
  }
  return false;
}
