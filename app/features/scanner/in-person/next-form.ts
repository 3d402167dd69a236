import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/**
 * Starts the page again when a saved form is followed by the next: its `formKey` changes, and the page is at its top, with the focus on the
 * `heading`. A rejected form stays where it is.
 */
export function useNextForm(isRejected: boolean) {
  const { key } = useLocation();
  const [formKey, setFormKey] = useState(key);
  if (key !== formKey && !isRejected) setFormKey(key);
  const heading = useRef<HTMLHeadingElement>(null);
  const shownKey = useRef(formKey);
  // The form was sent from its end, and the page scrolls by itself only for another address.
  useEffect(() => {
    if (shownKey.current === formKey) return;
    shownKey.current = formKey;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [formKey]);
  return { formKey, heading };
}
