import { useEffect, useState } from "react";
import type { ComponentType } from "react";

type DeferredViewProps<Props> = {
  /** Must be the same function each time. */
  load: () => Promise<ComponentType<Props>>;
  props: Props;
};

/** A view whose script is loaded some seconds after the page. Shows nothing until then. */
export function DeferredView<Props extends object>({ load, props }: DeferredViewProps<Props>) {
  const [View, setView] = useState<ComponentType<Props>>();
  useEffect(() => {
    const start = () =>
      load().then(
        (view) => setView(() => view),
        // As without script.
        () => undefined,
      );
    const timer = setTimeout(() => void start(), loadDelayMs);
    return () => clearTimeout(timer);
  }, [load]);
  return View ? <View {...props} /> : null;
}

const loadDelayMs = 3_000;
