//! Links: several images become one.

use crate::base::handle::{HandleKind, Table};
use crate::kernel::module;
use crate::kernel::module::Options;
use container::{Architecture, Contents};
use error::{Error, Result, refuse, refuse_if};
use image::object;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::sync::Arc;

/// A link in progress.
pub struct Link {
    /// The handle that the program has.
    pub handle: usize,
    /// Compute capability of the device that it is for.
    capability: u32,
    state: Mutex<State>,
    /// The result. The program may use its address until the link is destroyed.
    image: Mutex<Option<Box<[u8]>>>,
}

/// What was added.
#[derive(Default)]
struct State {
    texts: Vec<String>,
    /// The names that they define for each other: each may be defined once.
    names: HashSet<String>,
}

/// All links.
pub static LINKS: Table<Link> = Table::new(HandleKind::Link);

impl Link {
    /// Begins a link for a device.
    pub fn create(device: &crate::base::devices::Device) -> Result<Arc<Link>> {
        let capability = device.compute_capability();
        LINKS
            .insert_with(|handle| {
                Arc::new(Link { handle, capability, state: Mutex::default(), image: Mutex::default() })
            })
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many links"))
    }

    /// Adds an image. Its own errors are reported at once; symbols that it lacks may come with other images.
    pub fn add(&self, bytes: &[u8], options: &mut Options) -> Result<()> {
        let read = if object::is_object(bytes) { object::read } else { image::of_bytes };
        let image = read(bytes, self.capability)?;
        let mut state = self.state.lock();
        let mut names = Vec::new();
        for text in &image.modules {
            let module = module::parse(text, self.capability, options)?;
            names.extend(ptx::link::definitions(&module).map(str::to_owned));
        }
        if let Some(name) = names.iter().find(|name| state.names.contains(*name)) {
            options.errors.push_str(&format!("error   : Multiple definition of '{name}'\n"));
            return Err(refuse!(Error::INVALID_SOURCE, "data: {} is defined twice", name));
        }
        state.names.extend(names);
        state.texts.extend(image.modules);
        Ok(())
    }

    /// Finishes the link: address and size of the result, which lives as long as the link.
    pub fn complete(&self, options: &mut Options) -> Result<(usize, usize)> {
        let texts = self.state.lock().texts.clone();
        refuse_if!(Error::INVALID_VALUE, texts.is_empty(), "state: nothing was added");
        module::check(&ptx::link::join(texts.clone()), self.capability, options)?;
        let mut slot = self.image.lock();
        let file = container::write(&Contents {
            ptx: texts.join("\0").into_bytes(),
            architecture: Architecture { number: self.capability, suffix: None },
            most_registers: options.most_registers,
            name: String::new(),
            maker: "cuLinkComplete".into(),
        });
        let image = slot.insert(file.into_boxed_slice());
        Ok((image.as_ptr() as usize, image.len()))
    }
}
