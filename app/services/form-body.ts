/** The fields of a sent form. Empty for a body that is no form (JSON, plain text, one cut off in the middle): they then say what is missing. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}
