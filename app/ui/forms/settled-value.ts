import { useEffect, useState } from "react";

/**
 * The value, but the first one until hydration is over and nothing is pressed. For a value that moves a button: a press that began before
 * hydration, and often causes it, must end on the button.
 */
export function useSettledValue<Value>(value: Value): Value {
  const [first] = useState(value);
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    if (isSettled) return;
    // Not at once: a finger's target is `:active` only some time after the event that may have caused hydration.
    const timer = setInterval(() => setIsSettled(document.querySelector(":active") === null), 250);
    return () => clearInterval(timer);
  }, [isSettled]);
  return isSettled ? value : first;
}
