/**
 * Loads a script when it is needed, and only if it has its digest, which `import` alone does not check.
 * @param name beside the script that calls this
 * @throws if it cannot be loaded
 */
export async function loadScript<Module>(
  name: string,
  integrity: string,
  importIt: () => Promise<Module>,
): Promise<Module> {
  await preload(new URL(name, import.meta.url), integrity);
  return importIt();
}

async function preload({ href }: URL, integrity: string): Promise<void> {
  const link = document.createElement('link');
  if (!link.relList.supports('modulepreload')) return;
  Object.assign(link, { rel: 'modulepreload', href, integrity });
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
    document.head.append(link);
  });
}
