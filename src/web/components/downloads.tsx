import type { ComponentChildren } from 'preact';
import { AnchorButton, IconAnchor } from './button.js';
import { Icon } from './icon.js';
import { Data, UNTRANSLATED, useTexts } from './site.js';

/** Files that can be downloaded, a row each. */
export function Downloads({ children }: { children: ComponentChildren }) {
  return <ul class="files">{children}</ul>;
}

interface DownloadProps {
  /** Undefined where a script shows what it has decrypted. */
  name?: string;
  /** In words. */
  size?: string;
  /** Undefined without a link of its own, as of the only file, which has a button. */
  url?: string;
  /** Its progress, where a script reads it. */
  children?: ComponentChildren;
}

/** Who does not see in which row the link is hears the name of the file. */
export function Download({ name, size, url, children }: DownloadProps) {
  const t = useTexts();
  return (
    <li data-download={url === undefined ? undefined : ''}>
      <Icon name="file" />
      <span class="name" title={name} dir="auto" data-name {...UNTRANSLATED}>
        {name !== undefined && <Data>{name}</Data>}
      </span>
      <span class="size" data-size>
        {size}
      </span>
      {url !== undefined && (
        <IconAnchor icon="download" href={url}>
          {t.text('secret.download')}{' '}
          <span data-name {...UNTRANSLATED}>
            {name}
          </span>
        </IconAnchor>
      )}
      {children}
    </li>
  );
}

interface DownloadButtonProps {
  url: string;
  /** Whether it is the one action of the page. */
  isFirst: boolean;
  children: ComponentChildren;
}

export function DownloadButton({ url, isFirst, children }: DownloadButtonProps) {
  return (
    <AnchorButton look={isFirst ? 'primary' : undefined} size="large" icon="download" isWide href={url}>
      <span>{children}</span>
    </AnchorButton>
  );
}
