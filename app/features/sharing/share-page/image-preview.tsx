import { useEffect, useRef, useState } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { Skeleton } from "#app/ui/components/loading.tsx";

/**
 * An image that the server generates, with a skeleton while it loads and a retry button when it fails. `frame` has the classes for its size
 * and background.
 */
export function ImagePreview({ src, alt, frame }: { src: string; alt: string; frame: string }) {
  const [tries, setTries] = useState(0);
  const url = tries === 0 ? src : `${src}${src.includes("?") ? "&" : "?"}try=${tries}`;
  return <LoadingImage key={url} src={url} alt={alt} frame={frame} onRetry={() => setTries(tries + 1)} />;
}

type LoadingImageProps = Parameters<typeof ImagePreview>[0] & { onRetry: () => void };

function LoadingImage({ src, alt, frame, onRetry }: LoadingImageProps) {
  const image = useRef<HTMLImageElement>(null);
  const [state, setState] = useState<"loading" | "there" | "failed">("loading");

  // The image may have loaded or failed before hydration.
  useEffect(() => {
    if (image.current?.complete) setState(image.current.naturalWidth > 0 ? "there" : "failed");
  }, []);

  if (state === "failed") {
    return (
      <div
        role="alert"
        className={`${frame} grid content-center justify-items-center gap-3 border border-line-strong bg-raised! p-4 text-center`}
      >
        <p className="text-sm text-muted">Couldn’t load the image.</p>
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
