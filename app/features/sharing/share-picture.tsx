import { useEffect, useRef, useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

/**
 * A picture that the server draws: its shape while it is made, and a way to ask again when it can't be. `frame` gives it its size and
 * its ground; another `src` is another picture, shown when it is there.
 */
export function SharePicture({ src, alt, frame }: { src: string; alt: string; frame: string }) {
  const [tries, setTries] = useState(0);
  const asked = tries === 0 ? src : `${src}${src.includes("?") ? "&" : "?"}try=${tries}`;
  return <OnePicture key={asked} src={asked} alt={alt} frame={frame} onRetry={() => setTries(tries + 1)} />;
}

type OnePictureProps = Parameters<typeof SharePicture>[0] & { onRetry: () => void };

function OnePicture({ src, alt, frame, onRetry }: OnePictureProps) {
  const image = useRef<HTMLImageElement>(null);
  const [state, setState] = useState<"loading" | "there" | "failed">("loading");

  // It may have come, or failed, before the page could listen.
  useEffect(() => {
    if (image.current?.complete) setState(image.current.naturalWidth > 0 ? "there" : "failed");
  }, []);

  if (state === "failed") {
    return (
      <div
        role="alert"
        className={`${frame} grid content-center justify-items-center gap-3 border border-line-strong bg-raised! p-4 text-center`}
      >
        <p className="text-sm text-muted">This picture could not be made.</p>
        <Button size="s" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div className={`${frame} relative overflow-hidden`} aria-busy={state === "loading"}>
      {state === "loading" && <Skeleton className="absolute inset-0" />}
      <img
        ref={image}
        src={src}
        alt={alt}
        onLoad={() => setState("there")}
        onError={() => setState("failed")}
        className="relative block size-full object-contain"
      />
    </div>
  );
}
