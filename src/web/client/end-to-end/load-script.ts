/** Loads a script only if it has its digest, which `import` alone does not check. */
export async function preload({ href }: URL, integrity: string): Promise<void> {
  const link = document.createElement('link');
  if (!link.relList.supports('modulepreload')) return;
  Object.assign(link, { rel: 'modulepreload', href, integrity });
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
    document.head.append(link);
  });
}
