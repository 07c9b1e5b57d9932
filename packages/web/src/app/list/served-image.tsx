import { SourceIcon, sourceName } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { send } from '../api/client.js';
import type { Item } from '../state/library.js';

interface Props {
  /** A path of the server. */
  src: string;
  /** Empty by default: most pictures say nothing that the text beside them does not. */
  alt?: string;
  class?: string;
  width?: number;
  height?: number;
}

/**
 * An image that the server has. Where browsers do not mark requests of the same origin, an element of a page is not
 * admitted with the session (SEC-19), so the image is fetched.
 */
export function ServedImage(props: Props) {
  if (!isSecureContext) return <FetchedImage {...props} />;
  const { alt = '', ...others } = props;
  return <img {...others} alt={alt} loading="lazy" decoding="async" />;
}

function FetchedImage({ src, alt = '', ...others }: Props) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    void fetchImage(src).then(
      (found) => {
        if (isWanted) setAddress(found);
      },
      // The list looks the same as without pictures.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [src]);
  return <img {...others} alt={alt} src={address} />;
}

/** An image as a data URL, the only other kind that the page's policy admits. */
async function fetchImage(src: string): Promise<string> {
  const response = await send(src);
  if (!response.ok) throw new Error(`The image was not served: ${response.status}.`);
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
  });
  reader.readAsDataURL(await response.blob());
  await read;
  return String(reader.result);
}

interface PictureProps {
  memory: Pick<Item, 'id' | 'pictureHash'>;
  class?: string;
}

/** The picture of a memory, which says nothing that its title does not. */
export function Picture({ memory: { id, pictureHash }, class: name }: PictureProps) {
  return (
    <ServedImage
      {...(name === undefined ? {} : { class: name })}
      src={addressOf(`/api/v1/memories/${id}/picture?v=${pictureHash}`)}
    />
  );
}

/** The icon of a memory's site, or of its source where there is none. */
export function MemoryIcon({ memory: { id, sourceType, faviconHash } }: { memory: Item }) {
  if (faviconHash === undefined) return <SourceIcon sourceType={sourceType} />;
  return (
    <ServedImage
      class="icon favicon"
      src={addressOf(`/api/v1/memories/${id}/favicon?v=${faviconHash}`)}
      alt={sourceName(sourceType)}
      width={16}
      height={16}
    />
  );
}
