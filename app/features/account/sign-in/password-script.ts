/**
 * Shows or hides the password in the field before the button; the cursor stays where it is. The password is hidden again when its form is
 * submitted, so that browsers offer to save it. Uses nothing outside its body, because it is part of `formScript`.
 */
export function togglePassword(button: HTMLButtonElement): void {
  const field = button.previousElementSibling;
  if (!(field instanceof HTMLInputElement)) return;
  const label = button.firstElementChild;
  const { selectionStart, selectionEnd } = field;
  const isShown = field.type === "password";
  field.type = isShown ? "text" : "password";
  field.setSelectionRange(selectionStart, selectionEnd);
  if (label) label.textContent = isShown ? "Hide" : "Show";
  const hide = () => field.type === "text" && togglePassword(button);
  if (isShown) field.form?.addEventListener("submit", hide, { once: true });
}
