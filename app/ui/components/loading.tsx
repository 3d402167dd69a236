import { useEffect, useState } from "react";
import type { ReactNode } from "react";

import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/**
 * Loads the script of a rarely used part when it is rendered. If that fails (no connection, or a newer version of the site) a notice appears in
 * its place and typed values stay; React's `lazy` would replace the page by an error.
 */
export function LazyPart<Part>({ load, fallback, children }: LazyPartProps<Part>) {
  const [state, setState] = useState<{ part?: Part; hasFailed?: boolean }>({});
  useEffect(() => {
    if (state.part || state.hasFailed) return;
    let isUnmounted = false;
    load().then(
      (part) => isUnmounted || setState({ part }),
      () => isUnmounted || setState({ hasFailed: true }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [load, state]);
  if (state.part) return children(state.part);
  if (!state.hasFailed) return fallback;
  const button = (
    <Button size="s" onClick={() => setState({})}>
      Try again
    </Button>
  );
  return (
    <Notice tone="error" title="Couldn’t load this part of the page" action={button}>
      Check your connection. What you typed is still here.
    </Notice>
  );
}

type LazyPartProps<Part> = {
  /** A constant function such as `() => import("./part.tsx")`, defined outside the component. */
  load: () => Promise<Part>;
  /** Shown until the part is loaded. */
  fallback: ReactNode;
  children: (part: Part) => ReactNode;
};

/** A placeholder with the size of the content that is loading. Hidden from screen readers. */
export function Skeleton({ className = "h-5 w-full" }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={`animate-breathe rounded-control bg-higher motion-reduce:animate-none forced-colors:border ${className}`}
    />
  );
}
