import type { LeadErrors } from "#app/features/leads/form-schema.ts";

/** Shows errors next to their fields, as the server does, and moves the focus to the first one. */
export function showErrors(form: HTMLFormElement, errors: LeadErrors): void {
  clearErrors(form);
  const fields = [...form.elements].filter((field) => isField(field) && errors[field.name] !== undefined);
  for (const field of fields) {
    if (!isField(field)) continue;
    const error = document.createElement("p");
    error.className = "error";
    error.id = `${field.name}-error`;
    error.setAttribute("role", "alert");
    error.textContent = errors[field.name] ?? "";
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", error.id);
    field.closest(".field, .agree")?.append(error);
  }
  const [first] = fields;
  if (first instanceof HTMLElement) first.focus();
}

/** Shows what went wrong above the form. */
export function showNotice(form: HTMLFormElement, text: string): void {
  clearErrors(form);
  const notice = document.createElement("p");
  notice.className = "error";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  form.prepend(notice);
  notice.scrollIntoView({ block: "center" });
}

function clearErrors(form: HTMLFormElement) {
  for (const error of form.querySelectorAll(".error")) error.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

/** Whether a visitor has typed, chosen or checked anything. */
export function isTouched(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (!isField(field) || field.type === "hidden") return false;
    if (field instanceof HTMLInputElement && field.type === "checkbox") return field.checked;
    return field.value !== "";
  });
}

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isField(element: Element): element is FormField {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}
