# `make help` prints the targets: the words behind ## say what each does.
PREFIX ?= /usr/local
CARGO ?= cargo
# Where cargo builds, and where what is installed is put together.
TARGET = $(or $(CARGO_TARGET_DIR),target)
BUILD = build
# The profile of what is not the driver or the runtime.
SMALL = release
HEADERS = cuda.h cudaGL.h cudaEGL.h cudaVDPAU.h cudaProfiler.h driver_types.h cuda_runtime_api.h cuda_runtime.h

all: $(BUILD)/lib/libcuda.so.1 unwinder cudart compilers management audit launcher toolchain ## builds the libraries, the headers and the launcher into build/

help: ## prints this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 16

# Cargo knows best what is out of date.
$(BUILD)/lib/libcuda.so.1: FORCE
	$(CARGO) build --release --locked
	mkdir -p $(BUILD)/lib $(BUILD)/include
	cmp -s $(TARGET)/release/libcuda.so $@ || install -m 755 $(TARGET)/release/libcuda.so $@
	ln -sf libcuda.so.1 $(BUILD)/lib/libcuda.so
	mkdir -p $(BUILD)/lib/driver
	ln -sf ../libcuda.so.1 $(BUILD)/lib/driver/libcuda.so.1
	ln -sf libcuda.so.1 $(BUILD)/lib/driver/libcuda.so
	install -m 644 $(HEADERS) $(BUILD)/include/
	mkdir -p $(BUILD)/lib/pkgconfig
	install -m 644 packaging/cuda.pc packaging/cudart.pc $(BUILD)/lib/pkgconfig/
	install -m 644 packaging/cuda.pc $(BUILD)/lib/pkgconfig/cuda-13.5.pc
	install -m 644 packaging/version.json $(BUILD)/version.json

# What stands for libgcc_s.so.1 where there is none: libdoppel-unwind.so.
unwinder: FORCE
	crates/unwinder/build.sh $(BUILD)/lib

# The CUDA runtime on top: libcudart.so.12, libcudart.so.13, libcudart_static.a.
cudart: FORCE
	$(CARGO) build --release --locked -p doppel-cudart12 -p doppel-cudart13
	crates/cudart/link.sh $(TARGET)/release $(BUILD)/lib

# What programs compile with while they run: libnvrtc and libnvJitLink, .so.12 and .so.13, and what is behind them.
compilers: FORCE
	$(CARGO) build --profile $(SMALL) --locked -p doppel-shims
	crates/link-compilers.sh $(TARGET)/$(SMALL) $(BUILD)/lib

# What tells which devices there are: libnvidia-ml.so.1. The real one's functions have no version.
management: FORCE
	$(CARGO) build --profile $(SMALL) --locked -p doppel-nvml
	crates/link-shared.sh libnvidia-ml.so.1 crates/nvml/exports.txt $(TARGET)/$(SMALL)/libdoppel_nvml.a $(BUILD)/lib ""

# What puts them in the way of NVIDIA's.
audit: FORCE
	CARGO=$(CARGO) crates/audit/build.sh $(BUILD)/lib

# doppel, which runs programs on these libraries.
launcher: FORCE
	$(CARGO) build --profile $(SMALL) --locked -p doppel-launcher
	mkdir -p $(BUILD)/bin
	cmp -s $(TARGET)/$(SMALL)/doppel $(BUILD)/bin/doppel || install -m 755 $(TARGET)/$(SMALL)/doppel $(BUILD)/bin/doppel
	rm -rf $(BUILD)/share
	cp -R packaging/share $(BUILD)/share

# ptxas, nvcc and fatbinary, which are one program, and nvidia-smi: they stand for NVIDIA's.
toolchain: FORCE
	$(CARGO) build --profile $(SMALL) --locked -p doppel-toolchain -p doppel-smi
	mkdir -p $(BUILD)/libexec/driver
	cmp -s $(TARGET)/$(SMALL)/doppel-tools $(BUILD)/libexec/nvcc || install -m 755 $(TARGET)/$(SMALL)/doppel-tools $(BUILD)/libexec/nvcc
	ln -sf nvcc $(BUILD)/libexec/ptxas
	ln -sf nvcc $(BUILD)/libexec/fatbinary
	cmp -s $(TARGET)/$(SMALL)/nvidia-smi $(BUILD)/libexec/nvidia-smi || install -m 755 $(TARGET)/$(SMALL)/nvidia-smi $(BUILD)/libexec/nvidia-smi
	ln -sf ../nvidia-smi $(BUILD)/libexec/driver/nvidia-smi

demo: all ## runs a real CUDA program on it and prints what it did
	LD_LIBRARY_PATH=build/lib "$$(tests/venv.sh python)" clients/bindings_streams.py

check: ## before a commit: format, clippy, unit tests, C tests of what changed (or TEST="pool ipc")
	tests/check.sh $(TEST)

test: $(if $(TEST),,all) ## runs every test; TEST=name: one step (tests/all.sh --list), one C test, or Rust tests by name
	tests/all.sh $(TEST)

stress: ## 64 threads for minutes, also under ThreadSanitizer
	tests/stress/run.sh 60

fuzz: all ## calls of every function at random, then random and damaged kernels in both engines, ten minutes each
	CALLS_SECONDS=600 $(CARGO) test --release --locked --test calls
	tests/ptx/random.sh --damaged 600
	tests/compilers/run.sh nvrtc 5000
	tests/compilers/run.sh nvjitlink 5000
	FUZZ_CASES=200000 $(CARGO) test --release --locked -p doppel-toolchain --test fuzz

bench: all ## measures, side by side with the limits of this machine
	benches/run.sh

header: ## writes all files that are generated: C headers, docs/STATUS.md, docs/STATUS-cudart.md, docs/STATUS-compilers.md, docs/STATUS-nvml.md, the table in docs/PTX.md, man pages and completions
	$(CARGO) run --quiet --locked -p doppel-header
	crates/cudart/status.sh >docs/STATUS-cudart.md
	crates/real/status.sh >docs/STATUS-compilers.md
	crates/nvml/status.sh >docs/STATUS-nvml.md
	$(CARGO) xtask coverage
	DOPPEL_WRITE=1 $(CARGO) test --quiet --locked -p doppel-launcher pages

install: all ## into PREFIX (/usr/local) below DESTDIR; FORCE=1: also in front of a real driver
	packaging/install.sh --from $(BUILD) --destdir "$(DESTDIR)" "$(PREFIX)"

uninstall: ## removes what `make install` put into PREFIX below DESTDIR
	packaging/install.sh --uninstall --destdir "$(DESTDIR)" "$(PREFIX)"

dist: ## builds what is given to others into dist/: wheel, Debian package, tarball, debug files, bill of materials, checksums
	packaging/dist.sh

docs: ## builds the book out of all pages into target/book/html, and looks at its links; installs mdbook below target/ first
	[ -x target/mdbook/bin/mdbook ] || $(CARGO) install mdbook --version 0.4.52 --locked --no-default-features --debug --root target/mdbook
	packaging/book.py target/mdbook/bin/mdbook target/book

clean: ## removes what was built
	$(CARGO) clean
	rm -rf build dist

FORCE:
.PHONY: all help check docs unwinder cudart compilers management audit launcher toolchain demo test stress fuzz bench header install uninstall dist clean FORCE
